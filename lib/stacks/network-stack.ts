import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';

export interface NetworkStackProps extends StackProps {
  readonly zones: readonly string[];
  readonly natGateways: number;
}

/** The private network every plane lives in; nothing in it is reachable from the internet. */
export class NetworkStack extends Stack {
  readonly vpc: ec2.IVpc;

  constructor(scope: Construct, id: string, props: NetworkStackProps) {
    super(scope, id, props);

    const vpc = new ec2.Vpc(this, 'Vpc', {
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
    vpc.addFlowLog('Flows', { trafficType: ec2.FlowLogTrafficType.REJECT });
    vpc.addGatewayEndpoint('S3', { service: ec2.GatewayVpcEndpointAwsService.S3 });
    vpc.addGatewayEndpoint('DynamoDb', { service: ec2.GatewayVpcEndpointAwsService.DYNAMODB });
    // Prompts and answers do not leave the network on their way to the model.
    vpc.addInterfaceEndpoint('BedrockRuntime', {
      service: ec2.InterfaceVpcEndpointAwsService.BEDROCK_RUNTIME,
    });
    this.vpc = vpc;
  }
}
