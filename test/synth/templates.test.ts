/** The templates as a whole: what moved, and what a linter says. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { plantedBundles } from '../../lib/constructs/testing/planted-bundles';
import { ENVIRONMENT_NAMES, synthesize, synthesizePipeline } from './synthesized';
import type { CloudFormation, Synthesized } from './synthesized';

const ROOT = join(__dirname, '../..');

let folders: Readonly<Record<string, string>>;
let bundles: ReturnType<typeof plantedBundles>;
let prod: Synthesized;

beforeAll(() => {
  bundles = plantedBundles();
  folders = Object.fromEntries(
    ENVIRONMENT_NAMES.map((name) => [name, mkdtempSync(join(tmpdir(), `matsuri-${name}-`))]),
  );
  for (const [name, outdir] of Object.entries(folders)) {
    const synthesized = synthesize(name, { outdir, bundles: bundles.folder });
    if (name === 'prod') prod = synthesized;
  }
});

afterAll(() => {
  bundles.remove();
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

describe('one snapshot per stack', () => {
  test.each([
    'network',
    'data',
    'chat',
    'api',
    'edge-firewall',
    'edge',
    'capacity',
    'observability',
  ])('%s', (stack) => {
    expect(summaryOf(prod.json(stack))).toMatchSnapshot();
  });

  test('there are no others', () => {
    expect(prod.stacks).toHaveLength(8);
  });
});

/** A line for each property, hashes and code masked: short enough to be read when it moves. */
function summaryOf({ Resources }: CloudFormation): string {
  const lines = Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => [
    `${withoutHash(id)} ${Type}`,
    ...Object.entries(Properties)
      .filter(([name]) => name !== 'Tags')
      .map(([name, value]) => `  ${name}: ${masked(name, value)}`),
  ]);
  return lines.join('\n');
}

const withoutHash = (id: string): string => id.replaceAll(/[0-9A-F]{8}(?=\b|[A-Z]|$)/g, '');

const LONGEST = 300;

function masked(name: string, value: unknown): string {
  if (name === 'ZipFile' || name === 'Code') return '<code>';
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{64}/g, '<hash>')
    .replaceAll(/[0-9A-F]{8}(?=["\\}.,:])/g, '<id>');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}

describe('cfn-lint', () => {
  const lint = spawnSync('cfn-lint', ['--version'], { encoding: 'utf8' });
  const installed = lint.error === undefined && lint.status === 0;
  if (!installed) console.warn('cfn-lint is not installed: the templates were NOT linted.');

  (installed ? test : test.skip)(
    'finds nothing in the templates of any environment, nor of the pipeline and what it deploys',
    () => {
      const pipeline = mkdtempSync(join(tmpdir(), 'matsuri-pipeline-'));
      folders = { ...folders, pipeline };
      synthesizePipeline({ outdir: pipeline });
      const templates = Object.values(folders).flatMap((cwd) =>
        globSync('**/*.template.json', { cwd }).map((file) => join(cwd, file)),
      );
      // Each environment by itself and inside the pipeline, the pipeline, and its bucket in us-east-1.
      expect(templates).toHaveLength(2 * 8 * ENVIRONMENT_NAMES.length + 2);
      const { stdout, stderr } = spawnSync(
        'cfn-lint',
        ['--config-file', join(ROOT, '.cfnlintrc.yaml'), '--', ...templates],
        { cwd: ROOT, encoding: 'utf8' },
      );
      expect(`${stdout}${stderr}`).toBe('');
    },
    120_000,
  );
});

test('a task that runs once runs again when its own program changed, and the others do not', () => {
  const runs = (synthesized: Synthesized) =>
    Object.entries(synthesized.json('chat').Resources)
      .filter(([, { Type }]) => Type === 'Custom::Trigger')
      .map(([id, { Properties }]) => [id, JSON.stringify(Properties?.['HandlerArn'])] as const);
  const before = new Map(runs(prod));
  expect(before.size).toBe(2);

  appendFileSync(join(bundles.folder, 'migrate', 'main.cjs'), '// changed\n');
  const after = runs(synthesize('prod', { bundles: bundles.folder }));
  const again = after.filter(([id, version]) => before.get(id) !== version);
  expect(again.map(([id]) => id)).toEqual([expect.stringMatching(/^Migration/)]);
});
