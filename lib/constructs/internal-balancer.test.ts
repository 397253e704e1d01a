import { configure } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import * as s3 from 'aws-cdk-lib/aws-s3';

import { InternalBalancer } from './internal-balancer';
import { SUBNETS, plantedStack, plantedVpc, templateOf } from './testing/planted';

const CERTIFICATE = 'arn:aws:acm:ap-northeast-1:111122223333:certificate/planted';

function balancer(certificateArn?: string): Template {
  const stack = plantedStack();
  const { listener } = new InternalBalancer(stack, 'Front', {
    vpc: plantedVpc(stack),
    timeouts: configure().timeouts,
    edgePrefixList: 'pl-58a04531',
    accessLogs: new s3.Bucket(stack, 'Logs'),
    ...(certificateArn !== undefined && { certificateArn }),
  });
  listener.addAction('Planted', {
    action: elb.ListenerAction.fixedResponse(404),
  });
  return templateOf(stack);
}

let secure: Template;

beforeAll(() => {
  secure = balancer(CERTIFICATE);
});

const attribute = (Key: string, Value: string) => ({
  LoadBalancerAttributes: Match.arrayWith([{ Key, Value }]),
});
const BALANCER = 'AWS::ElasticLoadBalancingV2::LoadBalancer';

test('it has no public address, and lies where programs do', () => {
  secure.hasResourceProperties(BALANCER, { Scheme: 'internal', Subnets: SUBNETS.programs });
});

test('a stream may be silent for ten minutes', () => {
  secure.hasResourceProperties(BALANCER, attribute('idle_timeout.timeout_seconds', '600'));
});

test('a request that two servers could read differently reaches neither', () => {
  secure.hasResourceProperties(
    BALANCER,
    attribute('routing.http.desync_mitigation_mode', 'strictest'),
  );
  secure.hasResourceProperties(
    BALANCER,
    attribute('routing.http.drop_invalid_header_fields.enabled', 'true'),
  );
});

test('it keeps nothing, so nothing keeps its stack from being deleted', () => {
  secure.hasResourceProperties(BALANCER, attribute('deletion_protection.enabled', 'false'));
});

test('only CloudFront comes in, on the port that it listens on', () => {
  for (const [template, port] of [
    [secure, 443],
    [balancer(), 80],
  ] as const) {
    template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 1);
    template.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
      SourcePrefixListId: 'pl-58a04531',
      FromPort: port,
      ToPort: port,
    });
    template.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', { Port: port });
  }
});

test('with a certificate it speaks TLS 1.2 or 1.3', () => {
  secure.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
    Protocol: 'HTTPS',
    SslPolicy: 'ELBSecurityPolicy-TLS13-1-2-Res-2021-06',
    Certificates: [{ CertificateArn: CERTIFICATE }],
  });
});
