import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { LedgerDatabase } from './ledger-database';
import {
  plantedKey,
  plantedProgram,
  plantedStack,
  plantedVpc,
  templateOf,
} from './testing/planted';

function database(keepsData: boolean): { template: Template; url: string; readerUrl: string } {
  const stack = plantedStack();
  const vpc = plantedVpc(stack);
  const ledger = new LedgerDatabase(stack, 'Database', {
    vpc,
    encryptionKey: plantedKey(stack),
    minCapacityUnits: 2,
    maxCapacityUnits: 16,
    readers: 1,
    maxConnections: 1_500,
    keepsData,
  });
  const { variables, readerUrl } = ledger.allowConnecting(plantedProgram(stack, vpc));
  return {
    url: JSON.stringify(stack.resolve(variables.DATABASE_URL)),
    readerUrl: JSON.stringify(stack.resolve(readerUrl)),
    template: templateOf(stack),
  };
}

let kept: ReturnType<typeof database>;

beforeAll(() => {
  kept = database(true);
});

test('a reader as large as the writer stands by to take over', () => {
  kept.template.resourceCountIs('AWS::RDS::DBInstance', 2);
  kept.template.hasResourceProperties('AWS::RDS::DBInstance', { PromotionTier: 1 });
  kept.template.hasResourceProperties('AWS::RDS::DBCluster', {
    ServerlessV2ScalingConfiguration: { MinCapacity: 2, MaxCapacity: 16 },
  });
});

test('it takes the connections that the truth checks count on, and none in the clear', () => {
  kept.template.hasResourceProperties('AWS::RDS::DBClusterParameterGroup', {
    Parameters: {
      max_connections: '1500',
      'rds.force_ssl': '1',
      log_min_duration_statement: '1000',
    },
  });
});

test('where data is kept the cluster refuses to go, and when let go leaves a snapshot, not servers', () => {
  kept.template.hasResource('AWS::RDS::DBCluster', {
    DeletionPolicy: 'Snapshot',
    UpdateReplacePolicy: 'Snapshot',
    Properties: { DeletionProtection: true, BackupRetentionPeriod: 14 },
  });
  kept.template.allResources('AWS::RDS::DBInstance', { DeletionPolicy: 'Delete' });
});

test('where none is kept it goes without a trace', () => {
  const { template } = database(false);
  template.hasResource('AWS::RDS::DBCluster', {
    DeletionPolicy: 'Delete',
    Properties: { DeletionProtection: false },
  });
  expect(JSON.stringify(template.toJSON())).not.toContain('"Retain"');
});

test('URLs carry no credentials and insist on the server’s certificate', () => {
  for (const url of [kept.url, kept.readerUrl]) {
    expect(url).toContain('postgres://');
    expect(url).toContain('/matsuri?sslmode=verify-full');
    expect(url).not.toContain('@');
  }
  expect(kept.readerUrl).toContain('ReadEndpoint.Address');
});

test('passwords change every 30 days; the programs’ by turns of two users, so that none in use stops being true', () => {
  kept.template.resourcePropertiesCountIs(
    'AWS::SecretsManager::RotationSchedule',
    { RotationRules: { ScheduleExpression: 'rate(30 days)' }, RotateImmediatelyOnUpdate: false },
    2,
  );
  kept.template.hasResourceProperties('AWS::Serverless::Application', {
    Location: {
      ApplicationId: Match.anyValue(),
    },
    Parameters: Match.objectLike({ masterSecretArn: Match.anyValue() }),
  });
});

test('only the program that was allowed to connect reaches it, beside the two rotations', () => {
  kept.template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 3);
});
