/** `pnpm synth|diff|run deploy|run destroy <environment>`: CDK, with what it needs built first. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { environmentNamed, hasPlaceholderDomain } from '../lib/config/environment';

const ROOT = join(import.meta.dirname, '..');

const HELP = `The platform on AWS, one environment at a time (lib/config/environments.ts).

  pnpm synth <env> [-o DIR]    the templates; contradictions and open security findings fail it. No credentials needed
  pnpm diff <env>              what a deployment would change
  pnpm run deploy <env>        deploys every stack in order; data is migrated before the programs that need it
  pnpm run destroy <env>       deletes every stack; asks first, and says what stays

  --node-image <image@digest>  what images stand on (deploy; else asked of docker)
  --yes                        deploys and deletes without asking
  --help`;

const COMMANDS = ['synth', 'diff', 'deploy', 'destroy'] as const;
type Command = (typeof COMMANDS)[number];

const BASE_IMAGE = 'node:24-slim';

interface Wanted {
  readonly command: Command;
  readonly name: string;
  readonly output: string | undefined;
  readonly nodeImage: string | undefined;
  readonly yes: boolean;
}

function main(): void {
  const wanted = parse();
  if (wanted === undefined) {
    console.log(HELP);
    return;
  }
  const environment = environmentNamed(wanted.name, Date.now());
  if (wanted.command === 'deploy' && hasPlaceholderDomain(environment)) {
    throw new Error(
      `The domain of '${wanted.name}' is a placeholder. Write yours and its two certificates into ` +
        'lib/config/environments.ts (docs/deploy.md, step 2).',
    );
  }
  if (wanted.command === 'destroy') sayWhatStays(wanted.name, environment.keepsData);
  run('tsx', ['bin/build.ts', '--quiet']);
  run('cdk', [...argumentsOf(wanted), '-c', `env=${wanted.name}`]);
}

function parse(): Wanted | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o' },
      'node-image': { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [asked, name] = positionals;
  const command = COMMANDS.find((it) => it === asked);
  if (values.help) return undefined;
  if (command === undefined || name === undefined) throw new Error(HELP);
  return {
    command,
    name,
    output: values.output,
    nodeImage: values['node-image'],
    yes: values.yes,
  };
}

function argumentsOf({ command, output, nodeImage, yes }: Wanted): readonly string[] {
  switch (command) {
    case 'synth':
      return ['synth', '--quiet', ...(output === undefined ? [] : ['--output', output])];
    case 'diff':
      return ['diff'];
    case 'deploy': {
      const image = nodeImage ?? pinned(BASE_IMAGE);
      const approval = yes ? 'never' : 'broadening';
      return ['deploy', '--all', '--require-approval', approval, '-c', `nodeImage=${image}`];
    }
    case 'destroy':
      return ['destroy', '--all', ...(yes ? ['--force'] : [])];
  }
}

/** The image that the name means today, so that every stack of this deployment stands on the same one. */
function pinned(image: string): string {
  const format = ['--format', '{{.Manifest.Digest}}'];
  const { status, stdout } = spawnSync(
    'docker',
    ['buildx', 'imagetools', 'inspect', image, ...format],
    {
      encoding: 'utf8',
    },
  );
  const digest = status === 0 ? stdout.trim() : '';
  if (/^sha256:[0-9a-f]{64}$/.test(digest)) return `${image}@${digest}`;
  throw new Error(
    `The digest of ${image} could not be asked of docker. Start docker (it builds the images too), or name the ` +
      `image yourself: --node-image ${image}@sha256:…`,
  );
}

function sayWhatStays(name: string, keepsData: boolean): void {
  console.log(
    keepsData
      ? `'${name}' keeps its data. The data stack refuses to be deleted until its termination protection and that of ` +
          'the database are taken off; even then a snapshot of the database, the tables, the key, the secrets of ' +
          'access and the log buckets stay until you delete them (docs/deploy.md, "Taking it down").'
      : `'${name}' keeps no data: tables, database, buckets and secrets go too.`,
  );
  console.log(
    'Provisioned throughput without a commitment is given back; a commitment is billed to its end.',
  );
}

function run(tool: string, args: readonly string[]): void {
  const { status, error } = spawnSync(tool, args, { cwd: ROOT, stdio: 'inherit' });
  if (error !== undefined) throw new Error(`${tool} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
