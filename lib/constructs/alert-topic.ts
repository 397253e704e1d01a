import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

export interface AlertTopicProps {
  readonly name: string;
  readonly emails: readonly string[];
  readonly encryptionKey: kms.IKey;
}

/** Where alarms and programs call people. */
export class AlertTopic extends Construct {
  readonly topic: sns.Topic;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlertTopicProps,
  ) {
    super(scope, id);
    this.topic = new sns.Topic(this, 'Topic', {
      topicName: props.name,
      masterKey: props.encryptionKey,
      enforceSSL: true,
    });
    this.topic.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    for (const email of props.emails) this.topic.addSubscription(new EmailSubscription(email));
  }

  /** Lets a program call people; returns where. */
  allowPublishing(program: iam.IGrantable): string {
    iam.Grant.addToPrincipal({
      grantee: program,
      actions: ['sns:Publish'],
      resourceArns: [this.topic.topicArn],
    });
    this.props.encryptionKey.grant(program, 'kms:Decrypt', 'kms:GenerateDataKey');
    return this.topic.topicArn;
  }
}

/** A key that CloudWatch may use, so that what alarms say is encrypted on its way to people. */
export function alertKey(scope: Construct, id: string): kms.Key {
  const key = new kms.Key(scope, id, {
    description: 'Alerts',
    enableKeyRotation: true,
    // What it encrypts is read within seconds: a key that outlived its stack would only be billed.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new iam.PolicyStatement({
      principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
    }),
  );
  return key;
}
