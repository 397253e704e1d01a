import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

import { LogBucket } from './log-bucket';
import type { LogBucketProps } from './log-bucket';
import { plantedStack, templateOf } from './testing/planted';

function bucket(props: Partial<LogBucketProps>): Template {
  const stack = plantedStack();
  new LogBucket(stack, 'Logs', {
    logRetentionDays: RetentionDays.ONE_WEEK,
    keepsData: false,
    ...props,
  });
  return templateOf(stack);
}

test('logs are forgotten when the environment says so', () => {
  bucket({ logRetentionDays: RetentionDays.ONE_MONTH }).hasResourceProperties('AWS::S3::Bucket', {
    LifecycleConfiguration: {
      Rules: [Match.objectLike({ ExpirationInDays: 30, Status: 'Enabled' })],
    },
  });
});

test('where nothing is kept, the bucket is emptied and goes with its stack', () => {
  const gone = bucket({ keepsData: false });
  gone.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Delete' });
  gone.resourceCountIs('Custom::S3AutoDeleteObjects', 1);
  const kept = bucket({ keepsData: true });
  kept.hasResource('AWS::S3::Bucket', { DeletionPolicy: 'Retain' });
  kept.resourceCountIs('Custom::S3AutoDeleteObjects', 0);
});

test('only for CloudFront are access control lists allowed, without which it delivers nothing', () => {
  const ownership = (rule: string) => ({
    OwnershipControls: { Rules: [{ ObjectOwnership: rule }] },
  });
  bucket({ fromCloudFront: true }).hasResourceProperties(
    'AWS::S3::Bucket',
    ownership('BucketOwnerPreferred'),
  );
  bucket({}).hasResourceProperties('AWS::S3::Bucket', ownership('BucketOwnerEnforced'));
});
