import { configure } from '@matsuri/contract';
import type { Template } from 'aws-cdk-lib/assertions';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import vm from 'node:vm';

import { ChatDistribution } from './chat-distribution';
import type { ChatDistributionProps } from './chat-distribution';
import { only, plantedStack, plantedVpc, templateOf } from './testing/planted';

const DOMAIN = {
  name: 'chat.example.com',
  edgeCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/edge',
  originCertificateArn: 'arn:aws:acm:ap-northeast-1:111122223333:certificate/origin',
};

function distribution(props: Partial<ChatDistributionProps> = {}): Template {
  const stack = plantedStack();
  new ChatDistribution(stack, 'Chat', {
    balancer: new elb.ApplicationLoadBalancer(stack, 'Balancer', { vpc: plantedVpc(stack) }),
    console: new s3.Bucket(stack, 'Console'),
    accessLogs: new s3.Bucket(stack, 'Logs', {
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_PREFERRED,
    }),
    firewallArn: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/planted/1',
    timeouts: configure().timeouts,
    ...props,
  });
  return templateOf(stack);
}

interface Configuration {
  readonly CacheBehaviors: readonly Record<string, unknown>[];
  readonly DefaultCacheBehavior: Readonly<Record<string, unknown>>;
  readonly Aliases?: readonly string[];
  readonly WebACLId: string;
}

let template: Template;

beforeAll(() => {
  template = distribution({ domain: DOMAIN });
});

const configuration = (it: Template) =>
  only(it, 'AWS::CloudFront::Distribution')['DistributionConfig'] as Configuration;

test('what belongs to programs is passed on whole: not cached, not compressed, with every header and method', () => {
  for (const behaviour of configuration(template).CacheBehaviors) {
    expect(behaviour).toMatchObject({
      Compress: false,
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: '216adef6-5c7f-47e4-b989-5492eafa07d3',
      AllowedMethods: expect.arrayContaining(['POST', 'DELETE']) as string[],
    });
  }
});

test('the page may be framed by nobody and load from nowhere else', () => {
  const headers = JSON.stringify(
    only(template, 'AWS::CloudFront::ResponseHeadersPolicy')['ResponseHeadersPolicyConfig'],
  );
  expect(headers).toContain("default-src 'self'");
  expect(headers).toContain("frame-ancestors 'none'");
  expect(headers).toContain('"AccessControlMaxAgeSec":31536000');
  expect(configuration(template).DefaultCacheBehavior).toHaveProperty('ResponseHeadersPolicyId');
});

test('a header that only programs may set is taken off; whom a backend speaks for stays on', () => {
  const { FunctionCode } = only(template, 'AWS::CloudFront::Function');
  const context: { event: object; result?: { headers: object } } = {
    event: { request: { headers: { 'x-origin-verify': {}, 'x-end-user': {}, authorization: {} } } },
  };
  vm.runInNewContext(`${String(FunctionCode)};result=handler(event)`, context);
  expect(Object.keys(context.result?.headers ?? {})).toEqual(['x-end-user', 'authorization']);
});

test('the load balancer is reached over TLS under a domain, and inside the network without one', () => {
  const origin = (it: Template) =>
    only(it, 'AWS::CloudFront::VpcOrigin')['VpcOriginEndpointConfig'];
  expect(origin(template)).toMatchObject({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
  });
  const bare = distribution();
  expect(origin(bare)).toMatchObject({ OriginProtocolPolicy: 'http-only' });
  expect(configuration(bare).Aliases).toBeUndefined();
});

test('a heartbeat comes before CloudFront gives a stream up', () => {
  const { edgeReadMs, heartbeatMs } = configure().timeouts;
  expect(JSON.stringify(configuration(template))).toContain(
    `"OriginReadTimeout":${edgeReadMs / 1_000}`,
  );
  expect(heartbeatMs * 2).toBeLessThan(edgeReadMs);
});

test('nothing passes by the firewall', () => {
  expect(configuration(template).WebACLId).toContain('webacl/planted');
});
