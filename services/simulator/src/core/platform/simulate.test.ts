import { configure, type PlatformConfiguration } from '@matsuri/contract';
import { steady, tinyWorkload } from '../../../test/tiny-workloads';
import { POLICIES, type PolicyName } from '../policies/policies';
import { sceneOf } from './scene';
import { simulate } from './simulate';

/** Twenty requests a second of some 100 tokens, 40 % of them complex; after ten minutes twice as many for ten. */
const workload = tinyWorkload({
  arrivals: [...steady(20, 600), ...steady(40, 600), ...steady(20, 600)],
  serviceSeconds: 2,
  slotsPerTask: 5,
  unscoredSeconds: 300,
});
const startUp = { seconds: 50 };

/** Complex models that take so many requests a minute; the simple ones take all. */
function taking(requestsPerMinute: number): PlatformConfiguration {
  const shipped = configure();
  const complex = new Set(shipped.models.aliases.complex.map((it) => it.profile));
  const [first] = complex;
  const quotas = shipped.quotas.flatMap((quota) => {
    const ample = { ...quota, requestsPerMinute: 1_000_000, tokensPerMinute: 100_000_000 };
    if (!complex.has(quota.profile)) return [ample];
    return quota.profile === first ? [{ ...ample, requestsPerMinute: requestsPerMinute / 2 }] : [];
  });
  return { ...shipped, quotas };
}

function played(policy: PolicyName, environment?: PlatformConfiguration) {
  const scene = sceneOf(workload, { startUp, ...(environment && { environment }) });
  return simulate(scene, POLICIES[policy](scene));
}

// 480 complex requests a minute, 960 in the middle.
test('a quota that the rush passes refuses the rest of it, for as long as it lasts', () => {
  const { throttled, throttleMinutes, dollars } = played('static_peak', taking(720));
  expect(throttled / (40 * 600)).toBeCloseTo(0.4 * 0.25, 1);
  expect(throttleMinutes).toBeGreaterThan(9);
  expect(throttleMinutes).toBeLessThan(11);
  expect(dollars.tokens).toBeLessThan(played('static_peak').dollars.tokens);
});

test('quotas that are never passed change nothing', () => {
  const { throttled, throttleMinutes, dollars, ...free } = played('keda', taking(10_000));
  const { dollars: without, ...unlimited } = played('keda');
  expect({ throttled, throttleMinutes }).toEqual({ throttled: 0, throttleMinutes: 0 });
  expect(dollars.tokens).toBeCloseTo(without.tokens, 6);
  expect(unlimited).toMatchObject(free);
});

test('ours mitigates: fewer are refused than where nobody does, and not fewer than with foresight', () => {
  const environment = taking(720);
  const [others, own, foreseen] = (['keda', 'ours', 'oracle'] as const).map((policy) =>
    played(policy, environment),
  );
  expect(own?.throttled).toBeLessThan((others?.throttled ?? 0) / 2);
  expect(own?.throttled).toBeGreaterThanOrEqual(foreseen?.throttled ?? Infinity);
});

test('whoever is throttled holds no slot: the oracle needs fewer tasks', () => {
  expect(played('oracle', taking(1)).taskHours).toBeLessThan(0.8 * played('oracle').taskHours);
});

test('ours buys units where it may, which serve after their activation and are paid by the hour', () => {
  const environment = taking(600);
  const provisioned = { ...environment.provisioned, enabled: true, activationSeconds: 60 };
  const own = played('ours', { ...environment, provisioned });
  expect(own.unitHours).toBeGreaterThan(0);
  expect(own.dollars.units).toBeGreaterThan(0);
});
