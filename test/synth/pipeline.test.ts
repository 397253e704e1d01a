/** From a commit to production, and what stands in the way. */
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';

import { environmentNamed } from '../../lib/config/environment';
import { ENVIRONMENTS } from '../../lib/config/environments';
import { PIPELINE } from '../../lib/config/pipeline';
import { PipelineStack } from '../../lib/stacks/pipeline-stack';
import { plantedBundles } from '../../lib/constructs/testing/planted-bundles';
import { NOW_MS, ofType, quietly, synthesizePipeline } from './synthesized';
import type { CloudFormation } from './synthesized';

let assembly: CloudAssembly;
let pipeline: CloudFormation;

beforeAll(() => {
  assembly = synthesizePipeline();
  pipeline = assembly.getStackByName('matsuri-pipeline').template as CloudFormation;
});

const stages = () => {
  const [found] = ofType(pipeline, 'AWS::CodePipeline::Pipeline');
  return found?.['Stages'] as {
    Name: string;
    Actions: { Name: string; ActionTypeId: { Category: string }; RunOrder: number }[];
  }[];
};

test('one environment after the other', () => {
  expect(stages().map(({ Name }) => Name)).toEqual([
    'Source',
    'Build',
    'UpdatePipeline',
    'Assets',
    ...Object.keys(ENVIRONMENTS),
  ]);
});

test('each is tried after it was deployed; a person is asked before production and nowhere else', () => {
  for (const name of Object.keys(ENVIRONMENTS)) {
    const actions = stages().find(({ Name }) => Name === name)?.Actions ?? [];
    const byOrder = actions.toSorted((a, b) => a.RunOrder - b.RunOrder);
    expect(byOrder.at(-1)?.Name).toBe(`Smoke${name}`);
    const asked = byOrder.filter(({ ActionTypeId }) => ActionTypeId.Category === 'Approval');
    expect(asked.map(({ RunOrder }) => RunOrder)).toEqual(name === 'prod' ? [1] : []);
  }
});

test('nothing is deployed that was not checked, tested and simulated for every environment', () => {
  const text = JSON.stringify(ofType(pipeline, 'AWS::CodeBuild::Project'));
  for (const command of ['pnpm@12 check', 'test:unit', 'pnpm@12 build', 'cdk synth']) {
    expect(text).toContain(command);
  }
  for (const name of Object.keys(ENVIRONMENTS)) {
    expect(text).toContain(`simulate --gate --env ${name}`);
  }
});

test('every image of a run stands on the same Node, named by digest', () => {
  const text = JSON.stringify(ofType(pipeline, 'AWS::CodeBuild::Project'));
  expect(text).toContain('NODE_IMAGE=node:24-slim@$(docker buildx imagetools inspect node:24-slim');
  expect(text).toContain('cdk synth --quiet -c env=pipeline -c nodeImage=$NODE_IMAGE');
});

test('what it deploys are the stacks that a person would, under the same names', () => {
  const nested = assembly.nestedAssemblies.flatMap(({ nestedAssembly }) => nestedAssembly.stacks);
  expect(nested.map(({ stackName }) => stackName)).toEqual(
    expect.arrayContaining(
      Object.keys(ENVIRONMENTS).flatMap((name) => [
        `mangaassist-${name}-network`,
        `mangaassist-${name}-observability`,
      ]),
    ),
  );
  expect(nested).toHaveLength(8 * Object.keys(ENVIRONMENTS).length);
});

test('an environment may live in another account: what the pipeline carries there has a key of its own', () => {
  const app = new App();
  const bundles = plantedBundles();
  try {
    const stack = new PipelineStack(app, 'Pipeline', {
      env: { account: PIPELINE.account, region: PIPELINE.region },
      choices: PIPELINE,
      environments: [{ ...environmentNamed('dev', NOW_MS), account: '444455556666' }],
      bundles: { folder: bundles.folder, nodeImage: 'node:24-slim' },
      nowMs: NOW_MS,
    });
    const template = quietly(app).getStackByName(stack.stackName).template as object;
    Template.fromJSON(template).hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'Delete',
      Properties: { EnableKeyRotation: true },
    });
  } finally {
    bundles.remove();
  }
});
