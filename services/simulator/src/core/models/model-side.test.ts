import { FRESH_STATE, decide, type Plan } from '@matsuri/autoscaler/core';
import { configure, type Mitigation, type PlatformConfiguration } from '@matsuri/contract';
import { Bill } from './bill';
import { scaledDemand, type ModelDemand } from './model-demand';
import { ModelSide, isThrottled } from './model-side';

const PER_MINUTE = { requestsPerMinute: 600, tokensPerSecond: 10_000, dollarsPerHour: 100 };
const ASKED: ModelDemand = {
  complex: { ...PER_MINUTE, tokensPerMinute: 1_000_000 },
  simple: { ...PER_MINUTE, tokensPerMinute: 500_000 },
};

/** An environment whose complex models take so many of the million tokens a minute that are asked. */
function taking(tokensPerMinute: number): PlatformConfiguration {
  const shipped = configure();
  const { profile, region } = shipped.models.aliases.complex[0] ?? { profile: '', region: '' };
  const ample = shipped.quotas.map((it) => ({
    ...it,
    requestsPerMinute: 10_000,
    tokensPerMinute: 100_000_000,
  }));
  const complex = shipped.models.aliases.complex;
  return {
    ...shipped,
    quotas: [
      ...ample.filter((it) => !complex.some((target) => target.profile === it.profile)),
      { profile, region, requestsPerMinute: 10_000, tokensPerMinute },
    ],
  };
}

function planWith(...active: readonly Mitigation[]): Pick<Plan, 'capacity' | 'mitigations'> {
  const nobody = { complex: {}, simple: {} };
  const snapshot = { tasks: undefined, service: {}, models: nobody, throughputs: [] };
  const freeze = { scaleOut: false, scaleIn: false };
  const { plan } = decide(FRESH_STATE, { ...snapshot, freeze }, configure(), 0);
  const why = { reason: 'a test', sinceMs: 0, lane: 'complex' } as const;
  return {
    ...plan,
    mitigations: {
      ...plan.mitigations,
      active: active.map((mitigation) => ({ mitigation, ...why })),
    },
  };
}

const spared = (models: ModelSide, requests: number) =>
  Array.from({ length: requests / 10 }, () => models.spare(10)).reduce(
    (sum, it) => ({
      answered: sum.answered + it.answered,
      throttled: sum.throttled + it.throttled,
    }),
    { answered: 0, throttled: 0 },
  );

test('what passes the quota of one alias is throttled, in whole requests', () => {
  const models = new ModelSide(taking(400_000), { limited: true });
  models.ask(ASKED);
  // Half of the requests are complex, six of ten of these too many.
  expect(spared(models, 1_000)).toEqual({ answered: 0, throttled: 300 });
});

test('without quotas nobody is throttled, and no mitigation takes anything off', () => {
  const models = new ModelSide(taking(1), { limited: false });
  models.apply(planWith('templates'), 0);
  models.ask(ASKED);
  expect(spared(models, 1_000)).toEqual({ answered: 0, throttled: 0 });
});

test('a mitigation answers some without a model, and so fewer are throttled', () => {
  const models = new ModelSide(taking(400_000), { limited: true });
  models.apply(planWith('templates'), 0);
  models.ask(ASKED);
  const { answered, throttled } = spared(models, 1_000);
  expect(answered).toBe(100);
  expect(throttled).toBe(250);
});

test('who knows the future mitigates just while somebody would be throttled', () => {
  const models = new ModelSide(taking(900_000), { limited: true, clairvoyant: true });
  expect(isThrottled(models.ask(ASKED))).toBe(false);
  expect(models.spare(1_000).answered).toBeGreaterThan(0);
  models.ask({ ...ASKED, complex: scaledDemand(ASKED.complex, 0.5) });
  expect(models.spare(1_000).answered).toBe(0);
});

test('refused calls cost no tokens, and their minutes are counted', () => {
  const environment = taking(400_000);
  const models = new ModelSide(environment, { limited: true });
  const bill = new Bill(environment);
  const time = { units: models.units, times: 1, tasks: 10, seconds: 1_800 };
  bill.book({ ...time, passages: models.ask(ASKED) });
  expect(bill.costs).toMatchObject({ throttleMinutes: 30, taskHours: 5, unitHours: 0 });
  expect(bill.costs.dollars.tokens).toBeCloseTo((100 * 0.4 + 100) / 2);
});
