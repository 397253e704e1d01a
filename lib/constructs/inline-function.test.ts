import { Duration } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import vm from 'node:vm';

import { InlineFunction } from './inline-function';
import { only, plantedStack, statementsIn, templateOf } from './testing/planted';

const FUNCTIONS = globSync('*.ts', { cwd: join(__dirname, '../functions') })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'));

function planted(source: string): Template {
  const stack = plantedStack();
  new InlineFunction(stack, 'Function', {
    source,
    description: 'Planted',
    timeout: Duration.minutes(1),
    variables: { NAME: 'value' },
  });
  return templateOf(stack);
}

test.each(FUNCTIONS)(
  '%s fits into a template and is code that Lambda finds its handler in',
  (source) => {
    const { Code } = only(planted(source), 'AWS::Lambda::Function') as {
      Code: { ZipFile: string };
    };
    expect(Code.ZipFile.length).toBeLessThanOrEqual(4_096);
    const module = { exports: {} as Record<string, unknown> };
    const sdk = new Proxy({}, { get: () => Object });
    vm.runInNewContext(Code.ZipFile, {
      module,
      exports: module.exports,
      require: () => sdk,
      process,
    });
    expect(typeof module.exports['handler']).toBe('function');
  },
);

test('a function of ours may write its own log and nothing else until it is allowed to', () => {
  const statements = statementsIn(planted('run-once'));
  expect(statements).toEqual([
    expect.objectContaining({ Action: ['logs:CreateLogStream', 'logs:PutLogEvents'] }),
  ]);
  expect(JSON.stringify(statements)).not.toContain('"*"');
});

test('it runs on the Node of everything else, and its log ends with the month and the stack', () => {
  const template = planted('run-once');
  expect(only(template, 'AWS::Lambda::Function')).toMatchObject({
    Runtime: 'nodejs24.x',
    Handler: 'index.handler',
    Environment: { Variables: { NAME: 'value' } },
  });
  template.hasResource('AWS::Logs::LogGroup', {
    DeletionPolicy: 'Delete',
    Properties: { RetentionInDays: 30 },
  });
});
