/** Who may do what, what containers are given, and that no secret stands in a template. */
import * as contract from '@matsuri/contract';
import { z } from 'zod';

import { ENVIRONMENT_NAMES, ofType, synthesize } from './synthesized';
import type { CloudFormation } from './synthesized';

const CONTAINER = z.object({
  Name: z.string(),
  User: z.string(),
  ReadonlyRootFilesystem: z.boolean(),
  Privileged: z.boolean(),
  LinuxParameters: z.object({ Capabilities: z.object({ Drop: z.array(z.string()) }) }),
  Environment: z.array(z.object({ Name: z.string(), Value: z.unknown() })),
  Secrets: z.array(z.object({ Name: z.string(), ValueFrom: z.unknown() })),
});

const STATEMENT = z.object({
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]).transform((it) => [it].flat()),
  Resource: z
    .union([z.string(), z.array(z.unknown()), z.looseObject({})])
    .transform((it) => [it].flat()),
  Condition: z.looseObject({}).optional(),
});

interface Stack {
  readonly name: string;
  readonly json: CloudFormation;
}

let stacks: readonly Stack[];

beforeAll(() => {
  // Open findings of cdk-nag would throw here.
  stacks = ENVIRONMENT_NAMES.flatMap((name) => {
    const synthesized = synthesize(name);
    return synthesized.stacks.map((stack) => ({
      name: `${name}/${stack}`,
      json: synthesized.json(stack),
    }));
  });
});

const statements = () =>
  stacks.flatMap(({ name, json }) =>
    ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role'].flatMap((type) =>
      ofType(json, type).flatMap((resource) => {
        const documents = [
          resource['PolicyDocument'],
          ...((resource['Policies'] ?? []) as { PolicyDocument: unknown }[]).map(
            (it) => it.PolicyDocument,
          ),
        ];
        return documents
          .filter((it) => it !== undefined)
          .flatMap((document) => (document as { Statement: unknown[] }).Statement)
          .map((statement) => ({
            where: `${name}/${resource.logicalId.replace(/[0-9A-F]{8}$/, '')}`,
            ...STATEMENT.parse(statement),
          }));
      }),
    ),
  );

/** Actions with a star, all written by CDK for functions and hosts of its own. */
const STARRED_ACTIONS = new Set([
  'ecs:Submit*',
  's3:GetBucket*',
  's3:GetObject*',
  's3:List*',
  's3:Abort*',
  's3:DeleteObject*',
]);

test('no action is a star, and stars within actions are CDK’s own', () => {
  const starred = statements().flatMap(({ where, Action }) =>
    Action.filter((action) => action.includes('*') && !STARRED_ACTIONS.has(action)).map(
      (action) => `${where} ${action}`,
    ),
  );
  expect(starred).toEqual([]);
});

/** Calls that know no resources, or whose resource has no name beforehand; each with its reason. */
const ANY_RESOURCE: Readonly<Record<string, string>> = {
  'ecr:GetAuthorizationToken': 'a login knows no resources',
  'elasticloadbalancing:DescribeTargetHealth': 'knows no resources, reads',
  'secretsmanager:GetRandomPassword': 'knows no resources, reads nothing',
  'ecs:DescribeTasks': 'a task has no name before it runs; held to one cluster by a condition',
  'ecs:DiscoverPollEndpoint': 'the agent of a host asks where to report',
  'ecs:Poll': 'the agent of a host, held to one cluster by a condition',
  'ecs:StartTelemetrySession': 'the agent of a host, held to one cluster by a condition',
  'ecs:Submit*': 'the agent of a host, held to one cluster by a condition',
  'ecs:DeregisterContainerInstance': 'the agent of a host',
  'ecs:RegisterContainerInstance': 'the agent of a host',
  'cloudwatch:GetMetricData': 'knows no resources, reads',
  'application-autoscaling:DescribeScalableTargets': 'knows no resources, reads',
  'bedrock:ListProvisionedModelThroughputs': 'knows no resources, reads',
  'logs:CreateLogStream': 'the agent of a host',
  'logs:PutLogEvents': 'the agent of a host',
};

test('a star as resource is given only to calls that know no better', () => {
  const open = statements().flatMap(({ where, Action, Resource }) =>
    Resource.includes('*')
      ? Action.filter((action) => !Object.hasOwn(ANY_RESOURCE, action)).map(
          (it) => `${where} ${it}`,
        )
      : [],
  );
  expect(open).toEqual([]);
});

test('a role is passed only to tasks of ECS', () => {
  const passing = statements().filter(({ Action }) => Action.includes('iam:PassRole'));
  expect(passing.length).toBeGreaterThan(0);
  for (const { Condition, Resource } of passing) {
    expect(Condition).toEqual({
      StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
    });
    expect(Resource).not.toContain('*');
  }
});

const containers = () =>
  stacks.flatMap(({ name, json }) =>
    ofType(json, 'AWS::ECS::TaskDefinition').flatMap((task) =>
      z
        .array(CONTAINER)
        .parse(task['ContainerDefinitions'])
        .map((container) => ({ stack: name, ...container })),
    ),
  );

test('containers are nobody, can write nowhere, and have no capabilities', () => {
  expect(containers()).toHaveLength(5 * ENVIRONMENT_NAMES.length);
  for (const container of containers()) {
    expect(container).toMatchObject({
      User: '1000:1000',
      ReadonlyRootFilesystem: true,
      Privileged: false,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] } },
    });
  }
});

const SCHEMAS: Readonly<Record<string, readonly [z.ZodObject, z.ZodObject]>> = {
  orchestrator: [contract.orchestratorEnvironment, contract.orchestratorSecrets],
  api: [contract.apiEnvironment, contract.apiSecrets],
  autoscaler: [contract.autoscalerEnvironment, contract.autoscalerSecrets],
  migrate: [contract.migrateEnvironment, contract.migrateSecrets],
  'load-catalogue': [contract.loadCatalogueEnvironment, contract.loadCatalogueSecrets],
};

test('every program is given every variable it requires, secrets by reference, and nothing it does not read', () => {
  for (const { Name, Environment, Secrets } of containers()) {
    const [variables, secrets] = SCHEMAS[Name] ?? [];
    const given = Environment.map((it) => it.Name);
    const required = (schema: z.ZodObject | undefined) =>
      Object.entries(schema?.shape ?? {})
        .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
        .map(([name]) => name);
    expect(given).toEqual(expect.arrayContaining(required(variables)));
    expect(Object.keys(variables?.shape ?? {})).toEqual(expect.arrayContaining(given));
    expect(Secrets.map((it) => it.Name)).toEqual(expect.arrayContaining(required(secrets)));
    expect(Object.keys(secrets?.shape ?? {})).toEqual(
      expect.arrayContaining(Secrets.map((it) => it.Name)),
    );
  }
});

test('what every program is told of the configuration is what the environment chose', () => {
  for (const { stack, Environment } of containers()) {
    const told = Environment.find(({ Name }) => Name === 'PLATFORM_OVERRIDES')?.Value;
    if (told === undefined) continue;
    const { environment } = contract.decodeConfiguration(z.string().parse(told));
    expect(stack.startsWith(`${environment}/`)).toBe(true);
  }
});

describe('no secret stands in a template', () => {
  /** Bits of surprise in a word, if its letters came by chance. */
  function entropy(word: string): number {
    const counts = new Map<string, number>();
    for (const letter of word) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    return [...counts.values()].reduce((sum, n) => sum - n * Math.log2(n / word.length), 0);
  }

  const suspicious = (text: string): readonly string[] =>
    [...text.matchAll(/(?<![\w/:.-])[A-Za-z0-9+/_-]{32,}(?![\w:.-])/g)]
      .map(([word]) => word)
      .filter((word) => /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
      // A name that CDK made up: words, then eight digits of a hash.
      .filter((word) => !/mangaassist|^ELBSecurityPolicy-|[A-Za-z]{8}.*[0-9A-F]{8}/.test(word))
      .filter((word) => entropy(word) > 130);

  /** Logical ids end in hashes, code is code, and tags and metadata are paths of constructs. */
  const NO_VALUES = [
    'ZipFile',
    'Code',
    'Ref',
    'Fn::GetAtt',
    'Fn::ImportValue',
    'DependsOn',
    'Tags',
    'Metadata',
  ];

  test('a planted one is seen', () => {
    expect(suspicious('"Value": "kX9vQ2mZr7Lp4TnB8wYc6HdJ3sGf5Ae1"')).toHaveLength(1);
  });

  test('there is none', () => {
    for (const { name, json } of stacks) {
      const values = JSON.stringify(json.Resources, (key, value: unknown) =>
        NO_VALUES.includes(key) ? undefined : value,
      );
      const withoutIds = Object.keys(json.Resources).reduce(
        (text, id) => text.replaceAll(id, ''),
        values,
      );
      expect({ name, found: suspicious(withoutIds) }).toEqual({ name, found: [] });
    }
  });
});

test('every bucket refuses the public and plain HTTP', () => {
  for (const { json } of stacks) {
    for (const bucket of ofType(json, 'AWS::S3::Bucket')) {
      expect(bucket['PublicAccessBlockConfiguration']).toMatchObject({
        RestrictPublicBuckets: true,
      });
    }
    for (const policy of ofType(json, 'AWS::S3::BucketPolicy')) {
      expect(JSON.stringify(policy)).toContain('aws:SecureTransport');
    }
  }
});

test('nothing but load balancers and CloudFront is let in from addresses, and nothing from everywhere', () => {
  for (const { json } of stacks) {
    const rules = [
      ...ofType(json, 'AWS::EC2::SecurityGroupIngress'),
      ...ofType(json, 'AWS::EC2::SecurityGroup').flatMap(
        (group) => (group['SecurityGroupIngress'] ?? []) as Record<string, unknown>[],
      ),
    ];
    for (const rule of rules) expect(rule['CidrIp']).not.toBe('0.0.0.0/0');
  }
});
