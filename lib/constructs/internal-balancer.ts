import type { PlatformConfiguration } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface InternalBalancerProps {
  readonly vpc: ec2.IVpc;
  readonly timeouts: PlatformConfiguration['timeouts'];
  /** From where CloudFront reaches into the network. */
  readonly edgePrefixList: string;
  readonly accessLogs: s3.IBucket;
  /**
   * A certificate of the domain, in the load balancer's region.
   *
   * @default plain HTTP inside the network
   */
  readonly certificateArn?: string;
}

/** The load balancer behind CloudFront: private, patient with streams, strict about malformed requests. */
export class InternalBalancer extends Construct {
  readonly balancer: elb.ApplicationLoadBalancer;
  readonly listener: elb.ApplicationListener;

  constructor(scope: Construct, id: string, props: InternalBalancerProps) {
    super(scope, id);
    const access = new ec2.SecurityGroup(this, 'Access', {
      vpc: props.vpc,
      description: 'The load balancer: only CloudFront comes in, only programs are reached',
      allowAllOutbound: false,
    });
    this.balancer = new elb.ApplicationLoadBalancer(this, 'Balancer', {
      vpc: props.vpc,
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      internetFacing: false,
      securityGroup: access,
      idleTimeout: Duration.millis(props.timeouts.albIdleMs),
      // A request that two servers could read differently reaches neither.
      desyncMitigationMode: elb.DesyncMitigationMode.STRICTEST,
      dropInvalidHeaderFields: true,
    });
    this.balancer.logAccessLogs(props.accessLogs, 'balancer');
    this.listener = this.listen(props.certificateArn);
    access.addIngressRule(
      ec2.Peer.prefixList(props.edgePrefixList),
      ec2.Port.tcp(this.listener.port),
      'CloudFront',
    );
  }

  private listen(certificateArn: string | undefined): elb.ApplicationListener {
    if (certificateArn === undefined) {
      return this.balancer.addListener('Plain', {
        protocol: elb.ApplicationProtocol.HTTP,
        open: false,
      });
    }
    return this.balancer.addListener('Secure', {
      protocol: elb.ApplicationProtocol.HTTPS,
      open: false,
      certificates: [elb.ListenerCertificate.fromArn(certificateArn)],
      sslPolicy: elb.SslPolicy.TLS13_RES,
    });
  }
}
