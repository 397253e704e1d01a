import type { Template } from 'aws-cdk-lib/assertions';
import * as iam from 'aws-cdk-lib/aws-iam';

import {
  plantedKey,
  plantedProgram,
  plantedStack,
  plantedVpc,
  templateOf,
} from './testing/planted';
import { VectorCollection } from './vector-collection';

function planted(name: string) {
  const stack = plantedStack();
  const vpc = plantedVpc(stack);
  const vectors = new VectorCollection(stack, 'Vectors', {
    name,
    index: 'catalogue',
    vpc,
    encryptionKey: plantedKey(stack),
    standbyReplicas: true,
  });
  const program = plantedProgram(stack, vpc);
  const role = (id: string) =>
    new iam.Role(stack, id, { assumedBy: new iam.ServicePrincipal('ecs-tasks.amazonaws.com') });
  return { stack, vectors, program, role };
}

let template: Template;

beforeAll(() => {
  const { stack, vectors, program, role } = planted('prod-catalogue');
  vectors.allowSearching(program, role('Searcher'), 'orchestrator');
  vectors.allowMaintaining(program, role('Loader'), 'loader');
  template = templateOf(stack);
});

const policy = (name: string): string => {
  const [found] = Object.values(
    template.findResources('AWS::OpenSearchServerless::AccessPolicy', {
      Properties: { Name: name },
    }),
  );
  return JSON.stringify(found);
};

test('who searches cannot write; who loads can', () => {
  expect(policy('prod-catalogue-orchestrator')).toContain('aoss:ReadDocument');
  expect(policy('prod-catalogue-orchestrator')).not.toMatch(/aoss:(?:Write|Create|Update|Delete)/);
  expect(policy('prod-catalogue-loader')).toContain('aoss:WriteDocument');
  expect(policy('prod-catalogue-loader')).not.toContain('aoss:Delete');
});

test('rights end at the one index', () => {
  expect(policy('prod-catalogue-loader')).toContain('index/prod-catalogue/catalogue');
  expect(policy('prod-catalogue-loader')).not.toContain('*');
});

test('the collection is created after its policies: without a key or a network AWS refuses it', () => {
  const [collection] = Object.values(
    template.findResources('AWS::OpenSearchServerless::Collection'),
  ) as { DependsOn: string[]; Properties: object }[];
  expect(collection?.DependsOn).toEqual([
    expect.stringMatching(/Encryption/),
    expect.stringMatching(/Network/),
  ]);
  expect(collection?.Properties).toMatchObject({ StandbyReplicas: 'ENABLED' });
});

test('nobody comes in from outside the network', () => {
  const policies = Object.values(
    template.findResources('AWS::OpenSearchServerless::SecurityPolicy', {
      Properties: { Type: 'network' },
    }),
  );
  expect(JSON.stringify(policies)).toContain('AllowFromPublic\\":false');
});

test('a name that AWS would refuse in the middle of a deployment is refused here', () => {
  const { vectors, program, role } = planted('a-very-long-environment');
  expect(() => vectors.allowSearching(program, role('Searcher'), 'orchestrator')).toThrow(
    'takes names of 32 characters; a-very-long-environment-orchestrator has 36. Give the environment a shorter name.',
  );
});
