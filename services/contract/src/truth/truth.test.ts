import { SOME_WEDNESDAY_MS } from '../../test/contradiction-of';
import { configure, defaultConfiguration } from '../configuration/configure';
import { ContradictionError, assertTrue, contradictionsOf } from './truth';

function errorOf(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each(['baseline', 'genai'] as const)(
  'the %s profile as shipped contradicts itself nowhere, at any time of the year',
  (profile) => {
    const configuration = configure({ profile });
    for (let month = 1; month <= 12; month += 1) {
      const nowMs = Date.parse(`2026-${String(month).padStart(2, '0')}-01T00:00:00+09:00`);
      const errors = contradictionsOf(configuration, nowMs).filter((it) => it.severity === 'error');
      expect(errors).toEqual([]);
    }
  },
);

test('a true configuration gives its warnings back', () => {
  const warnings = assertTrue(defaultConfiguration, SOME_WEDNESDAY_MS);
  expect(new Set(warnings.map((it) => it.severity))).toEqual(new Set(['warning']));
});

test('one error lists every contradiction with its fix', () => {
  const wrong = configure({
    timeouts: { keepAliveMs: 120_000 },
    queues: { workerControl: { visibilitySeconds: 90 } },
  });
  const error = errorOf(() => assertTrue(wrong, SOME_WEDNESDAY_MS));
  expect(error).toBeInstanceOf(ContradictionError);
  expect(String(error)).toMatch(/in 2 place\(s\):/);
  expect(String(error)).toMatch(/\[timeout-ladder\] .*\n {2}Fix: Lower timeouts\.albIdleMs/);
  expect(String(error)).toMatch(/\[queue-visibility\] .*\n {2}Fix: Set queues\.workerControl/);
});

test('an acknowledged error becomes a warning that carries the reason', () => {
  const accepted = configure({
    queues: { workerControl: { visibilitySeconds: 90 } },
    acknowledged: { 'queue-visibility': 'commands are idempotent and rare here' },
  });
  const found = assertTrue(accepted, SOME_WEDNESDAY_MS).find((it) => it.id === 'queue-visibility');
  expect(found?.severity).toBe('warning');
  expect(found?.message).toMatch(/Accepted: commands are idempotent and rare here/);
});

test('an acknowledgement that excuses nothing is mentioned', () => {
  const stale = configure({ acknowledged: { 'queue-visibillity': 'misspelt on purpose here' } });
  const found = contradictionsOf(stale, SOME_WEDNESDAY_MS).find(
    (it) => it.id === 'acknowledgement-unused',
  );
  expect(found?.message).toMatch(/acknowledged\['queue-visibillity'\] excuses nothing/);
  expect(found?.severity).toBe('warning');
});
