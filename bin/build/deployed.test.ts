/** What the stacks deploy is what the end-to-end tests run, and an image changes when its program does, and only then. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildPrograms, builtProgram } from '@matsuri/local';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { z } from 'zod';

import { plantedCopy } from '../../test/architecture/planted-copy';
import { ofType, synthesize } from '../../test/synth/synthesized';
import type { CloudFormation } from '../../test/synth/synthesized';

const ROOT = join(__dirname, '../..');
const PROGRAMS = ['orchestrator', 'api', 'autoscaler', 'migrate', 'load-catalogue'];

const CONTAINERS = z.array(z.object({ Name: z.string(), Image: z.unknown() }));
const UPLOAD = z.object({ SourceObjectKeys: z.array(z.string()) });

/** Program → the hash of the image that its task runs. */
function images(templates: readonly CloudFormation[]): Readonly<Record<string, string>> {
  const containers = templates
    .flatMap((template) => ofType(template, 'AWS::ECS::TaskDefinition'))
    .flatMap((task) => CONTAINERS.parse(task['ContainerDefinitions']));
  return Object.fromEntries(
    containers.map(({ Name, Image }) => [Name, hashIn(JSON.stringify(Image))]),
  );
}

function hashIn(text: string): string {
  const [hash] = /[0-9a-f]{64}/.exec(text) ?? [];
  if (hash === undefined) throw new Error(`There is no hash in ${text}`);
  return hash;
}

/** Path → bytes of everything below a folder. */
function contentsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [file.slice(folder.length + 1), readFileSync(file).toString('base64')]),
  );
}

describe('the app, as it is deployed', () => {
  let outdir: string;
  let templates: readonly CloudFormation[];

  beforeAll(async () => {
    // As test/setup/build-and-start-engines.ts does before the end-to-end tests.
    await buildPrograms();
    outdir = mkdtempSync(join(tmpdir(), 'matsuri-app-'));
    const { status, stderr } = spawnSync('tsx', ['bin/matsuri.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        CDK_OUTDIR: outdir,
        CDK_CONTEXT_JSON: JSON.stringify({ env: 'prod' }),
      },
    });
    if (status !== 0) throw new Error(stderr);
    templates = new CloudAssembly(outdir).stacks.map(({ template }) => template as CloudFormation);
  }, 60_000);

  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  test.each(PROGRAMS)('%s is sent to AWS byte for byte as the tests start it', (program) => {
    const sent = join(outdir, `asset.${String(images(templates)[program])}`);
    const { workingDirectory, command } = builtProgram(program);
    expect(contentsOf(sent)).toEqual(contentsOf(workingDirectory));
    expect(Object.keys(contentsOf(sent))).toContain(command.at(-1));
  });

  test('so is the page', () => {
    const [upload] = templates.flatMap((it) => ofType(it, 'Custom::CDKBucketDeployment'));
    const [key = ''] = UPLOAD.parse(upload).SourceObjectKeys;
    expect(contentsOf(join(outdir, `asset.${hashIn(key)}`))).toEqual(
      contentsOf(join(ROOT, 'dist/console')),
    );
  });
});

test('unchanged sources give the same images; a change shows in those of the programs that contain it', () => {
  const copy = plantedCopy({});
  const folders = mkdtempSync(join(tmpdir(), 'matsuri-again-'));
  const built = (name: string) => {
    const out = join(folders, name);
    expect(copy.run('tsx', 'bin/build.ts', '--quiet', '--out', out)).toMatchObject({ status: 0 });
    const synthesized = synthesize('prod', { bundles: out });
    return images(synthesized.stacks.map((stack) => synthesized.json(stack)));
  };
  try {
    const before = built('first');
    expect(Object.keys(before).sort()).toEqual(PROGRAMS.toSorted());
    expect(built('second')).toEqual(before);

    copy.plant({ [STATUS]: withdrawnInsteadOfRevoked() });
    const { api, ...others } = built('third');
    expect(api).not.toBe(before['api']);
    expect({ api: before['api'], ...others }).toEqual(before);
  } finally {
    copy.remove();
    rmSync(folders, { recursive: true });
  }
}, 120_000);

const STATUS = 'services/api/src/core/token-status.ts';

function withdrawnInsteadOfRevoked(): string {
  return readFileSync(join(ROOT, STATUS), 'utf8').replaceAll(`'revoked'`, `'withdrawn'`);
}
