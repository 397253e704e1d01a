import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';

import { AlertTopic, alertKey } from './alert-topic';
import { plantedStack, templateOf } from './testing/planted';

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  const encryptionKey = alertKey(stack, 'Key');
  const topic = new AlertTopic(stack, 'Page', {
    name: 'mangaassist-dev-on-call',
    emails: ['one@example.com', 'two@example.com'],
    encryptionKey,
  });
  const program = new iam.Role(stack, 'Program', {
    assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com'),
  });
  topic.allowPublishing(program);
  template = templateOf(stack);
});

test('everybody on the list is written to', () => {
  template.resourceCountIs('AWS::SNS::Subscription', 2);
  template.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'two@example.com',
  });
});

test('alarms of this account may publish, and CloudWatch may use the key: else they fire unheard', () => {
  template.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: Match.objectLike({
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
        }),
      ]),
    }),
  });
  template.hasResourceProperties('AWS::KMS::Key', {
    KeyPolicy: Match.objectLike({
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
      ]),
    }),
  });
});

test('a program that may publish may also encrypt what it publishes', () => {
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: Match.objectLike({
      Statement: [
        Match.objectLike({ Action: 'sns:Publish' }),
        Match.objectLike({ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] }),
      ],
    }),
  });
});

test('the key goes with its stack: it has nothing to decrypt later, and would be billed', () => {
  template.allResources('AWS::KMS::Key', { DeletionPolicy: 'Delete' });
});
