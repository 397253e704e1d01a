import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { ChatCache } from './chat-cache';
import {
  SUBNETS,
  only,
  plantedKey,
  plantedProgram,
  plantedStack,
  plantedVpc,
  templateOf,
} from './testing/planted';

let template: Template;
let url: string;

beforeAll(() => {
  const stack = plantedStack();
  const vpc = plantedVpc(stack);
  const cache = new ChatCache(stack, 'Cache', {
    vpc,
    encryptionKey: plantedKey(stack),
    nodeType: 'cache.m7g.large',
    replicas: 1,
    maxMemoryPolicy: 'noeviction',
  });
  const { variables } = cache.allowConnecting(plantedProgram(stack, vpc));
  url = JSON.stringify(stack.resolve(variables.REDIS_URL));
  template = templateOf(stack);
});

test('the loss of a zone moves the primary, it does not lose the shared limits', () => {
  template.hasResourceProperties('AWS::ElastiCache::ReplicationGroup', {
    Engine: 'valkey',
    CacheNodeType: 'cache.m7g.large',
    ReplicasPerNodeGroup: 1,
    AutomaticFailoverEnabled: true,
    MultiAZEnabled: true,
  });
  template.hasResourceProperties('AWS::ElastiCache::SubnetGroup', {
    SubnetIds: SUBNETS.data,
  });
});

test('memory that is full refuses new keys: an evicted limit would be a limit nobody keeps', () => {
  template.hasResourceProperties('AWS::ElastiCache::ParameterGroup', {
    Properties: { 'maxmemory-policy': 'noeviction' },
  });
});

test('the token is read from its secret at deploy time and stands in no template', () => {
  const { AuthToken } = only(template, 'AWS::ElastiCache::ReplicationGroup');
  expect(JSON.stringify(AuthToken)).toContain('{{resolve:secretsmanager:');
});

test('programs are told of the primary, over TLS only', () => {
  expect(url).toContain('rediss://');
  expect(url).toContain('PrimaryEndPoint.Address');
  template.hasResourceProperties('AWS::ElastiCache::ReplicationGroup', {
    TransitEncryptionEnabled: true,
    TransitEncryptionMode: 'required',
  });
});

test('only the program that was allowed to connect gets through, to the one port', () => {
  template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 1);
  template.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
    FromPort: 6379,
    ToPort: 6379,
    SourceSecurityGroupId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Program'), 'GroupId'] },
  });
});

test('the token rotates every 90 days, and not at the moment of deployment', () => {
  template.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
    RotateImmediatelyOnUpdate: false,
    RotationRules: { ScheduleExpression: 'rate(90 days)' },
  });
});
