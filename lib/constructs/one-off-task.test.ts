import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

import { OneOffTask } from './one-off-task';
import { ProgramLog } from './program-log';
import { SUBNETS, plantedStack, plantedVpc, statementsIn, templateOf } from './testing/planted';

function planted(...before: string[]): Template {
  const stack = plantedStack();
  const cluster = new ecs.Cluster(stack, 'Cluster', { vpc: plantedVpc(stack) });
  const { task } = new OneOffTask(stack, 'Once', {
    cluster,
    description: 'Planted',
    before,
  });
  task.addContainer('migrate', {
    image: ecs.ContainerImage.fromRegistry('node:24-slim'),
    logging: new ProgramLog(stack, 'Log', { logRetentionDays: RetentionDays.ONE_WEEK }).driver,
  });
  return templateOf(stack);
}

let template: Template;

beforeAll(() => {
  template = planted('one', 'two');
});

test('CloudFormation listens for longer than the run may take: an answer that is not heard starts a second run', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    Description: 'Planted: starts it and waits for its end',
    Timeout: 13 * 60,
  });
  template.hasResourceProperties('Custom::Trigger', { Timeout: String(14 * 60 * 1_000) });
});

test('it runs when everything that it needs is there: its way to the data, its rights, its own definition', () => {
  const [trigger] = Object.values(template.findResources('Custom::Trigger'));
  expect(trigger?.['DependsOn']).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^OnceAccess/),
      expect.stringMatching(/^OnceTask.*ExecutionRole/),
      expect.stringMatching(/^OnceTask(?!.*Role)/),
    ]),
  );
});

test('it runs again when a program that relies on it changed, and not otherwise', () => {
  const version = (it: Template) => Object.keys(it.findResources('AWS::Lambda::Version'));
  expect(version(planted('one', 'two'))).toEqual(version(template));
  expect(version(planted('one', 'changed'))).not.toEqual(version(template));
});

test('the starter may start this task, hand over its two roles to ECS only, and look at tasks of the one cluster', () => {
  const find = (action: string) =>
    statementsIn(template).filter(({ Action }) => [Action].flat().includes(action));
  expect(find('ecs:RunTask').map(({ Resource }) => JSON.stringify(Resource))).toEqual([
    expect.stringMatching(/OnceTask/),
  ]);
  expect(find('iam:PassRole')).toMatchObject([
    {
      Resource: [expect.anything(), expect.anything()],
      Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
    },
  ]);
  expect(JSON.stringify(find('ecs:DescribeTasks'))).toContain('ecs:cluster');
});

test('the task is reached by nobody and runs where programs do; when it fails, its log is named', () => {
  template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 0);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({
        SUBNETS: SUBNETS.programs.join(','),
        CONTAINER: 'migrate',
        LOG_GROUP: { Ref: Match.stringLikeRegexp('^LogLines') },
      }),
    },
  });
});
