import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';

import { DatabaseMigration } from './database-migration';
import { only, templateOf } from './testing/planted';
import { plantedPlatform } from './testing/planted-platform';

const CONTAINERS = z.array(
  z.object({
    Name: z.string(),
    Secrets: z.array(z.object({ Name: z.string(), ValueFrom: z.unknown() })),
  }),
);

let template: Template;

beforeAll(() => {
  const { stack, remove, data, ...rest } = plantedPlatform();
  new DatabaseMigration(stack, 'Migration', { ...rest, database: data.database, before: [] });
  template = templateOf(stack);
  remove();
});

test('the schema is changed by its owner; the programs’ user is let in under its own password', () => {
  const [container] = CONTAINERS.parse(
    only(template, 'AWS::ECS::TaskDefinition')['ContainerDefinitions'],
  );
  const from = Object.fromEntries(
    (container?.Secrets ?? []).map(({ Name, ValueFrom }) => [Name, JSON.stringify(ValueFrom)]),
  );
  expect(Object.keys(from).sort()).toEqual([
    'DATABASE_PASSWORD',
    'DATABASE_USER',
    'PROGRAMS_PASSWORD',
    'PROGRAMS_USER',
  ]);
  expect(from['DATABASE_PASSWORD']).toContain('DatabaseClusterSecret');
  expect(from['PROGRAMS_PASSWORD']).toContain('DatabasePrograms');
  expect(from['DATABASE_PASSWORD']).not.toBe(from['PROGRAMS_PASSWORD']);
});

test('it reaches the database and HTTPS, and nothing else', () => {
  const ports = Object.values(template.findResources('AWS::EC2::SecurityGroup')).flatMap(
    (group) =>
      (group['Properties'] as { SecurityGroupEgress: { FromPort: number }[] }).SecurityGroupEgress,
  );
  expect(ports.map(({ FromPort }) => FromPort)).toEqual([443]);
  template.resourceCountIs('AWS::EC2::SecurityGroupEgress', 1);
  template.resourceCountIs('AWS::EC2::SecurityGroupIngress', 1);
});
