import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

export interface NetworkStackProps extends StackProps {
  readonly zones: readonly string[];
  readonly natGateways: number;
  /** `models`: prompts and answers go through an endpoint of ours; `data`: so do secrets, images and logs. */
  readonly endpoints: 'models' | 'data';
  readonly logRetentionDays: logs.RetentionDays;
}

const ADDRESSES = '10.0.0.0/16';

/** The way to the models, which prompts and answers take. */
const MODEL_ENDPOINTS = {
  BedrockRuntime: ec2.InterfaceVpcEndpointAwsService.BEDROCK_RUNTIME,
};

/** What else carries data. Calls that only steer (metrics, scaling, alerts) leave through the NAT gateways, over TLS. */
const DATA_ENDPOINTS = {
  Bedrock: ec2.InterfaceVpcEndpointAwsService.BEDROCK,
  SageMakerRuntime: ec2.InterfaceVpcEndpointAwsService.SAGEMAKER_RUNTIME,
  SecretsManager: ec2.InterfaceVpcEndpointAwsService.SECRETS_MANAGER,
  Registry: ec2.InterfaceVpcEndpointAwsService.ECR,
  RegistryDocker: ec2.InterfaceVpcEndpointAwsService.ECR_DOCKER,
  Logs: ec2.InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS,
};

/** The private network every plane lives in; nothing in it is reachable from the internet. */
export class NetworkStack extends Stack {
  readonly vpc: ec2.IVpc;

  private readonly zones: readonly string[];

  constructor(scope: Construct, id: string, props: NetworkStackProps) {
    super(scope, id, props);
    this.zones = props.zones;

    const vpc = new ec2.Vpc(this, 'Vpc', {
      ipAddresses: ec2.IpAddresses.cidr(ADDRESSES),
      availabilityZones: [...props.zones],
      natGateways: props.natGateways,
      // The default security group lets everything talk to everything: nobody uses it, so it gets no rules.
      restrictDefaultSecurityGroup: true,
      subnetConfiguration: [
        {
          name: 'egress',
          subnetType: ec2.SubnetType.PUBLIC,
          cidrMask: 26,
          mapPublicIpOnLaunch: false,
        },
        { name: 'programs', subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
        { name: 'data', subnetType: ec2.SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
      ],
    });
    this.recordRefusedTraffic(vpc, props.logRetentionDays);
    vpc.addGatewayEndpoint('S3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
    vpc.addGatewayEndpoint('DynamoDb', { service: ec2.GatewayVpcEndpointAwsService.DYNAMODB });
    this.addInterfaceEndpoints(vpc, props.endpoints);
    this.vpc = vpc;
  }

  /** Configured: CDK would ask the account for them as soon as it knows which account that is. */
  override get availabilityZones(): string[] {
    return [...this.zones];
  }

  private recordRefusedTraffic(vpc: ec2.Vpc, retentionDays: logs.RetentionDays): void {
    const logGroup = new logs.LogGroup(this, 'FlowLogs', {
      retention: retentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    vpc.addFlowLog('Flows', {
      trafficType: ec2.FlowLogTrafficType.REJECT,
      destination: ec2.FlowLogDestination.toCloudWatchLogs(logGroup),
    });
  }

  private addInterfaceEndpoints(vpc: ec2.Vpc, which: NetworkStackProps['endpoints']): void {
    const securityGroup = new ec2.SecurityGroup(this, 'EndpointAccess', {
      vpc,
      description: 'Endpoints of AWS services: HTTPS from inside the network',
      allowAllOutbound: false,
    });
    securityGroup.addIngressRule(ec2.Peer.ipv4(ADDRESSES), ec2.Port.HTTPS);
    const services = {
      ...MODEL_ENDPOINTS,
      ...(which === 'data' && DATA_ENDPOINTS),
    };
    for (const [id, service] of Object.entries(services)) {
      vpc.addInterfaceEndpoint(id, { service, securityGroups: [securityGroup], open: false });
    }
  }
}
