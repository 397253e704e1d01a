/** Figures that cannot both be true stop synth, and the message says what to change. */
import type { PlatformOverrides } from '@matsuri/contract';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { environmentOf } from '../../lib/config/environment';
import { ENVIRONMENTS } from '../../lib/config/environments';
import { NOW_MS } from './synthesized';

const prodWith = (platform: PlatformOverrides) => () =>
  environmentOf('prod', { ...ENVIRONMENTS.prod, platform }, NOW_MS);

const { genai } = { genai: environmentOf('prod', ENVIRONMENTS.prod, NOW_MS).platform.scaling };

test.each<[string, PlatformOverrides, RegExp]>([
  [
    'a queue that shows a message again while it is still being handled',
    { queues: { workerControl: { visibilitySeconds: 90 } } },
    /visibility[\s\S]*Fix: .*queues\.workerControl\.visibilitySeconds/,
  ],
  [
    'a timeout ladder with a rung out of order',
    { timeouts: { keepAliveMs: 120_000 } },
    /keepAliveMs[\s\S]*Fix: .*timeouts\.keepAliveMs/,
  ],
  [
    'a schedule without a time zone',
    {
      scaling: {
        schedule: genai.schedule.map(({ timeZone: _, ...floor }) => ({
          ...floor,
          days: [...floor.days],
        })),
      },
    },
    /time zone[\s\S]*Fix: .*Asia\/Tokyo/i,
  ],
  [
    'a model that is retired',
    { models: { models: { 'claude-sonnet-5': { lifecycle: { endOfLifeOn: '2026-10-14' } } } } },
    /claude-sonnet-5[\s\S]*Fix: /,
  ],
  [
    'pools that together pass the server’s limit',
    { data: { postgres: { maxConnections: 500 } } },
    /open [\d,]+ connections[\s\S]*Fix: Lower .* or raise data\.postgres\.maxConnections/,
  ],
])('%s', (_, platform, says) => {
  expect(prodWith(platform)).toThrow(says);
});

const infra = (...args: string[]) =>
  spawnSync('tsx', ['bin/infra.ts', ...args], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });

test('the commands say what they do', () => {
  expect(infra('synth', '--help').stdout).toContain('pnpm run destroy <env>');
  expect(infra('synth').status).toBe(1);
});

test('the placeholder domain is not deployed', () => {
  const { status, stderr } = infra('deploy', 'prod');
  expect(status).toBe(1);
  expect(stderr).toMatch(/is a placeholder\. Write yours .* into lib\/config\/environments\.ts/);
});

test('the command fails with the message, not with a stack trace', () => {
  const { status, stderr } = spawnSync('tsx', ['bin/matsuri.ts'], {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], CDK_CONTEXT_JSON: JSON.stringify({ env: 'production' }) },
  });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(
    "There is no environment 'production'. Choose one with -c env=<name>: dev, staging, prod.",
  );
});
