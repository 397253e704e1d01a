import { configure } from '@matsuri/contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environmentNamed, environmentOf } from './environment';
import { ENVIRONMENTS } from './environments';
import type { EnvironmentChoices } from './environments';

const NOW_MS = Date.parse('2026-11-18T00:00:00+09:00');

test.each(Object.keys(ENVIRONMENTS))('the figures of %s agree with each other', (name) => {
  expect(environmentNamed(name, NOW_MS).platform.environment).toBe(name);
});

test('an unknown environment is refused with the names there are', () => {
  expect(() => environmentNamed('production', NOW_MS)).toThrow(
    "There is no environment 'production'. Choose one with -c env=<name>: dev, staging, prod.",
  );
});

test('production scales by the GenAI profile', () => {
  expect(environmentNamed('prod', NOW_MS).platform.profile).toBe('genai');
});

test('an environment that keeps data must have a domain and certificates', () => {
  const { domain, ...without } = ENVIRONMENTS.prod;
  expect(domain.name).toBe('chat.example.com');
  expect(() => environmentOf('prod', without, NOW_MS)).toThrow(/Fix: add domain .* to 'prod'/);
});

test('the placeholder domain that the repository ships is said aloud', () => {
  const ids = (name: string) => environmentNamed(name, NOW_MS).warnings.map(({ id }) => id);
  expect(ids('prod')).toContain('placeholder-domain');
  expect(ids('dev')).not.toContain('placeholder-domain');
});

test('environments do not share metrics, so that one account may hold several', () => {
  const namespaces = Object.keys(ENVIRONMENTS).map(
    (name) => environmentNamed(name, NOW_MS).platform.product.metricNamespace,
  );
  expect(new Set(namespaces).size).toBe(namespaces.length);
});

test('prod carries its calendar by the quotas it names, which is why they are to be asked for first', () => {
  const warned = (choices: EnvironmentChoices) =>
    environmentOf('prod', choices, NOW_MS).warnings.map(({ id }) => id);
  const { quotas, ...platform } = ENVIRONMENTS.prod.platform;
  expect(quotas.map(({ profile, region }) => `${profile}@${region}`)).toEqual(
    configure().quotas.map(({ profile, region }) => `${profile}@${region}`),
  );
  expect(warned(ENVIRONMENTS.prod)).not.toContain('quota-below-event-peak');
  expect(warned({ ...ENVIRONMENTS.prod, platform })).toContain('quota-below-event-peak');
});

test('docs/deploy.md lists every quota of prod', () => {
  const text = readFileSync(join(__dirname, '../../docs/deploy.md'), 'utf8');
  for (const { profile, region, requestsPerMinute, tokensPerMinute } of ENVIRONMENTS.prod.platform
    .quotas) {
    const figures = [requestsPerMinute, tokensPerMinute].map((it) => it.toLocaleString('en'));
    const row = text.split('\n').find((it) => it.includes(profile) && it.includes(region));
    expect(row?.split('|').map((it) => it.trim())).toEqual(expect.arrayContaining(figures));
  }
});
