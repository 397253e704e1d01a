import { environmentNamed } from './environment';
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
