/** From a commit to production, and what stands in the way. */
import { ENVIRONMENTS } from '../../lib/config/environments';
import { addPipeline } from '../../lib/pipeline';
import { checkedApp } from '../../lib/synth';
import { NOW_MS, ofType, plantedBundles, quietly } from './synthesized';
import type { CloudFormation } from './synthesized';

let pipeline: CloudFormation;

beforeAll(() => {
  const bundles = plantedBundles();
  try {
    const app = checkedApp();
    addPipeline(app, {
      bundles: { folder: bundles.folder, nodeImage: 'node:24-slim' },
      nowMs: NOW_MS,
    });
    pipeline = quietly(app).getStackByName('matsuri-pipeline').template as CloudFormation;
  } finally {
    bundles.remove();
  }
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
