import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

import { acknowledge } from './acknowledge';

export interface LogBucketProps {
  readonly logRetentionDays: logs.RetentionDays;
  /** Whether the logs outlive the stack. */
  readonly keepsData: boolean;
  /**
   * CloudFront hands its log files over by an access control list.
   *
   * @default false
   */
  readonly fromCloudFront?: boolean;
}

/** Where access logs go: encrypted, private, and forgotten in time. */
export class LogBucket extends Construct {
  readonly bucket: s3.Bucket;

  constructor(scope: Construct, id: string, props: LogBucketProps) {
    super(scope, id);
    this.bucket = new s3.Bucket(this, 'Bucket', {
      // The services that write access logs know no keys of customers.
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      objectOwnership: props.fromCloudFront
        ? s3.ObjectOwnership.BUCKET_OWNER_PREFERRED
        : s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [{ expiration: Duration.days(props.logRetentionDays) }],
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      autoDeleteObjects: !props.keepsData,
    });
    acknowledge(
      this.bucket,
      'S1',
      'This is where access logs go; a log of its own readers would only feed itself.',
    );
  }
}
