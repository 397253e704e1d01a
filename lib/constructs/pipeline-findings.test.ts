import { Stack, Stage } from 'aws-cdk-lib';
import type { App } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { acknowledgePipeline } from './pipeline-findings';
import { complaintsOf } from './testing/complaints';

const open = (build: (app: App) => void): string =>
  complaintsOf((app) => {
    build(app);
    acknowledgePipeline(app);
  });

function addRole(stack: Stack, statement: iam.PolicyStatementProps): void {
  const role = new iam.Role(stack, 'Role', {
    assumedBy: new iam.ServicePrincipal('codebuild.amazonaws.com'),
  });
  role.addToPolicy(new iam.PolicyStatement(statement));
}

const WILD = { actions: ['s3:GetObject'], resources: ['arn:aws:s3:::artifacts/*'] };

test('what CDK Pipelines writes for itself is accepted', () => {
  expect(open((app) => addRole(new Stack(app, 'Pipeline'), WILD))).toBe('');
});

test('an environment inside the pipeline answers for itself', () => {
  expect(
    open((app) => {
      const pipeline = new Stack(app, 'Pipeline');
      addRole(pipeline, WILD);
      addRole(new Stack(new Stage(pipeline, 'prod'), 'Chat'), WILD);
    }),
  ).toContain('Pipeline/prod/Chat/Role');
});

test('a policy of AWS on a role of the pipeline is not accepted', () => {
  expect(
    open((app) => {
      new iam.Role(new Stack(app, 'Pipeline'), 'Role', {
        assumedBy: new iam.ServicePrincipal('codebuild.amazonaws.com'),
        managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AdministratorAccess')],
      });
    }),
  ).toContain('AdministratorAccess');
});
