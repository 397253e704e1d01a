import { environmentNamed, environmentOf } from './environment';
import { ENVIRONMENTS } from './environments';

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
