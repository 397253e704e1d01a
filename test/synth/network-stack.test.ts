import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';

import { NetworkStack } from '../../lib/stacks/network-stack';

const template = Template.fromStack(
  new NetworkStack(new App(), 'Network', {
    env: { region: 'ap-northeast-1' },
    zones: ['ap-northeast-1a', 'ap-northeast-1c'],
    natGateways: 2,
  }),
);

test('every zone of the configuration gets three subnets, and no other zone', () => {
  const zones = Object.values(template.findResources('AWS::EC2::Subnet')).map(
    ({ Properties }) => (Properties as { AvailabilityZone: unknown }).AvailabilityZone,
  );
  expect(zones.sort()).toEqual([
    ...Array<string>(3).fill('ap-northeast-1a'),
    ...Array<string>(3).fill('ap-northeast-1c'),
  ]);
});

test('a way out does not depend on one zone', () => {
  template.resourceCountIs('AWS::EC2::NatGateway', 2);
});

test('no instance gets a public address by itself', () => {
  template.resourcePropertiesCountIs('AWS::EC2::Subnet', { MapPublicIpOnLaunch: true }, 0);
});

test('calls to models stay inside the network', () => {
  template.hasResourceProperties('AWS::EC2::VPCEndpoint', {
    ServiceName: Match.stringLikeRegexp('bedrock-runtime$'),
    PrivateDnsEnabled: true,
  });
});

test('refused traffic is recorded', () => {
  template.hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'REJECT' });
});
