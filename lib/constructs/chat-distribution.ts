import { HEADERS, PATHS } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

import type { DomainChoices } from '../config/environments';
import { acknowledge } from './acknowledge';

export interface ChatDistributionProps {
  readonly balancer: elb.IApplicationLoadBalancer;
  readonly console: s3.IBucket;
  readonly accessLogs: s3.IBucket;
  readonly firewallArn: string;
  readonly timeouts: PlatformConfiguration['timeouts'];
  /**
   * The name users type.
   *
   * @default CloudFront's own name, and plain HTTP to the load balancer
   */
  readonly domain?: DomainChoices;
}

/** Headers that only programs behind the edge may set. */
const OURS_ALONE = [HEADERS.originVerify];

/** The page may load from its own origin and connect to it; nothing it shows can do more. */
const PAGE_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
];

/** Everything users reach: the console's files, and behind the same name the chat and the API. */
export class ChatDistribution extends Construct {
  readonly distribution: cloudfront.Distribution;

  constructor(scope: Construct, id: string, props: ChatDistributionProps) {
    super(scope, id);
    const { domain } = props;
    const programs = this.behaviourOfPrograms(props);
    this.distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: 'Chat, API and console',
      defaultBehavior: this.behaviourOfConsole(props.console),
      defaultRootObject: 'index.html',
      additionalBehaviors: {
        // Server-sent events, WebSockets and plain calls alike: nothing is cached, buffered or compressed.
        [`${PATHS.chatCompletions}*`]: programs,
        [`${PATHS.sessions}*`]: programs,
        '/v1/*': programs,
        [PATHS.openapi]: programs,
      },
      webAclId: props.firewallArn,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      enableLogging: true,
      logBucket: props.accessLogs,
      logFilePrefix: 'edge/',
      ...(domain && {
        domainNames: [domain.name],
        minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: acm.Certificate.fromCertificateArn(
          this,
          'Certificate',
          domain.edgeCertificateArn,
        ),
      }),
    });
    this.acknowledgeFindings(domain);
  }

  private behaviourOfPrograms(props: ChatDistributionProps): cloudfront.BehaviorOptions {
    return {
      origin: origins.VpcOrigin.withApplicationLoadBalancer(props.balancer, {
        protocolPolicy: props.domain
          ? cloudfront.OriginProtocolPolicy.HTTPS_ONLY
          : cloudfront.OriginProtocolPolicy.HTTP_ONLY,
        originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
        // Between two packets, not in all: a heartbeat comes well before.
        readTimeout: Duration.millis(props.timeouts.edgeReadMs),
        keepaliveTimeout: Duration.seconds(60),
      }),
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
      cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
      // Host included: the certificate of the load balancer is checked against it. WebSockets need their headers.
      originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER,
      compress: false,
      functionAssociations: [
        {
          eventType: cloudfront.FunctionEventType.VIEWER_REQUEST,
          function: this.headerFilter(),
        },
      ],
    };
  }

  private behaviourOfConsole(files: s3.IBucket): cloudfront.BehaviorOptions {
    return {
      origin: origins.S3BucketOrigin.withOriginAccessControl(files),
      viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: cloudfront.CachePolicy.CACHING_OPTIMIZED,
      responseHeadersPolicy: this.safetyOfPage(),
      compress: true,
    };
  }

  private safetyOfPage(): cloudfront.ResponseHeadersPolicy {
    const override = true;
    return new cloudfront.ResponseHeadersPolicy(this, 'Safety', {
      comment: 'What the console may load, and who may show it',
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: PAGE_POLICY.join('; '), override },
        contentTypeOptions: { override },
        referrerPolicy: {
          referrerPolicy: cloudfront.HeadersReferrerPolicy.NO_REFERRER,
          override,
        },
        strictTransportSecurity: { accessControlMaxAge: Duration.days(365), override },
      },
    });
  }

  private headerFilter(): cloudfront.Function {
    const deletions = OURS_ALONE.map((name) => `delete headers['${name}'];`).join('');
    return new cloudfront.Function(this, 'HeaderFilter', {
      comment: 'Takes away headers that only programs behind the edge may set',
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      code: cloudfront.FunctionCode.fromInline(
        `function handler(event){var headers=event.request.headers;${deletions}return event.request;}`,
      ),
    });
  }

  private acknowledgeFindings(domain: DomainChoices | undefined): void {
    acknowledge(this.distribution, 'CFR1', 'Readers abroad are readers: no country is refused.');
    if (domain !== undefined) return;
    const reason =
      'Without a domain there is no certificate to check: CloudFront’s own name is used, and the way to the load ' +
      'balancer leads through the private network. Environments that keep data must have a domain.';
    acknowledge(this.distribution, 'CFR4', reason);
    acknowledge(this.distribution, 'CFR5', reason);
  }
}
