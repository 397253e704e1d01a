import { afterCheck, deregistered, isDrained, newTarget, routable } from './target-health';
import type { CheckOutcome, Target } from './target-health';

const settings = { healthyThreshold: 2, unhealthyThreshold: 3, deregistrationDelayMs: 120_000 };
const good: CheckOutcome = { passed: true };
const bad: CheckOutcome = { passed: false, reason: 'Target.Timeout' };

function checked(target: Target, ...outcomes: CheckOutcome[]): Target {
  return outcomes.reduce((state, outcome) => afterCheck(state, outcome, settings, 1_000), target);
}

const fresh = newTarget('127.0.0.1', 8080, 8080);
const healthy = checked(fresh, good);
const unhealthy = checked(healthy, bad, bad, bad);

test.each([
  ['one good check makes a new target healthy', fresh, [good], 'healthy'],
  ['a new target survives failures below the threshold', fresh, [bad, bad], 'initial'],
  ['a new target fails at the threshold', fresh, [bad, bad, bad], 'unhealthy'],
  ['a healthy target survives failures below the threshold', healthy, [bad, bad], 'healthy'],
  ['failures count only in a row', healthy, [bad, bad, good, bad, bad], 'healthy'],
  ['failures in a row end it', healthy, [bad, bad, bad], 'unhealthy'],
  ['an unhealthy target needs its threshold to return', unhealthy, [good], 'unhealthy'],
  ['an unhealthy target returns', unhealthy, [good, good], 'healthy'],
])('%s', (_, target, outcomes, expected) => {
  expect(checked(target, ...outcomes).state).toBe(expected);
});

test('an unhealthy target says why', () => {
  expect(unhealthy.reason).toBe('Target.Timeout');
});

test('a deregistered target drains for the delay, whatever its checks say', () => {
  const draining = checked(deregistered(healthy, settings, 5_000), bad, bad, bad, good);

  expect(draining).toMatchObject({ state: 'draining', reason: 'Target.DeregistrationInProgress' });
  expect(isDrained(draining, 124_999)).toBe(false);
  expect(isDrained(draining, 125_000)).toBe(true);
});

test('asking twice to deregister does not prolong the draining', () => {
  const once = deregistered(healthy, settings, 5_000);
  expect(deregistered(once, settings, 60_000)).toBe(once);
});

test('traffic goes to healthy targets, and to a new one only after the word has spread', () => {
  const older = { ...healthy, port: 1, healthySinceMs: 0 };
  const newer = { ...healthy, port: 2, healthySinceMs: 8_000 };

  expect(routable([older, newer, unhealthy, fresh], 5_000, 10_000)).toEqual([older]);
  expect(routable([older, newer], 5_000, 13_000)).toEqual([older, newer]);
});

test('when every target is unhealthy they all get traffic, draining ones never', () => {
  const draining = deregistered(healthy, settings, 0);
  expect(routable([unhealthy, draining, fresh], 0, 0)).toEqual([unhealthy]);
});
