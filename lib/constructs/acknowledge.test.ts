import { App, Aws, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as s3 from 'aws-cdk-lib/aws-s3';

import {
  acknowledge,
  acknowledgeSdkCalls,
  acknowledgeUpload,
  acknowledgeWildcard,
} from './acknowledge';
import { complaintsOf } from './testing/complaints';

/** What a synth of the stack complains of. */
const openIn = (build: (stack: Stack) => void): readonly string[] => {
  const text = complaintsOf((app) => build(new Stack(app, 'Planted')));
  return [...text.matchAll(/AwsSolutions-[\w[\]:.*/<>-]+/g)].map(([id]) => id);
};

const roleThatReads = (stack: Stack, id: string, resource: string) => {
  const role = new iam.Role(stack, id, {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
  });
  role.addToPolicy(new iam.PolicyStatement({ actions: ['s3:GetObject'], resources: [resource] }));
  return role;
};

const EVERY_OBJECT = `arn:${Aws.PARTITION}:s3:::planted/*`;

test('a wildcard is open until somebody gives a reason for it', () => {
  expect(openIn((stack) => void roleThatReads(stack, 'Role', EVERY_OBJECT))).toEqual([
    expect.stringContaining('IAM5[Resource::arn:<AWS::Partition>:s3:::planted/*]'),
  ]);
  expect(
    openIn((stack) =>
      acknowledgeWildcard(roleThatReads(stack, 'Role', EVERY_OBJECT), EVERY_OBJECT, 'Planted.'),
    ),
  ).toEqual([]);
});

test('a reason holds for the one wildcard, below the one construct', () => {
  const open = openIn((stack) => {
    const accepted = roleThatReads(stack, 'Accepted', EVERY_OBJECT);
    acknowledgeWildcard(accepted, EVERY_OBJECT, 'Planted.');
    accepted.addToPolicy(
      new iam.PolicyStatement({ actions: ['s3:PutObject'], resources: ['arn:aws:s3:::other/*'] }),
    );
    roleThatReads(stack, 'Neighbour', EVERY_OBJECT);
  });
  expect(open).toHaveLength(2);
  expect(open.join()).toContain('other/*');
});

test('other findings are accepted by their name', () => {
  const bucket = (stack: Stack) =>
    new s3.Bucket(stack, 'Bucket', {
      enforceSSL: true,
      encryption: s3.BucketEncryption.S3_MANAGED,
    });
  expect(openIn((stack) => void bucket(stack)).join()).toContain('AwsSolutions-S1');
  expect(openIn((stack) => acknowledge(bucket(stack), 'S1', 'Planted.'))).toEqual([]);
});

test('what CDK has not written yet cannot be accepted', () => {
  const stack = new Stack(new App(), 'Planted');
  expect(() => acknowledgeSdkCalls(stack)).toThrow('No call of the SDK');
  expect(() => acknowledgeUpload(new s3.Bucket(stack, 'Bucket'))).toThrow('No bucket is filled');
});
