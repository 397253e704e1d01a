/** Five hundred calls of every kind over three processes, one of which is killed at a random point. */
import { check, describeViolations } from '../../chaos/harness/checker/check';
import { mixedRun } from '../../chaos/harness/mixed-run';
import { freshSeed, seededRandom } from '../../chaos/harness/seeded-random';

const CALLS = 500;
const GATEWAYS = 3;
const SEED = Number(process.env['CHAOS_SEED'] ?? freshSeed());

test(`seed ${SEED}: the promises hold, whoever leaves, misbehaves or is killed`, async () => {
  const random = seededRandom(SEED);
  const kill = {
    target: 'gateway',
    kind: 'kill',
    place: random.between(0, GATEWAYS - 1),
    forMs: 200,
  } as const;
  process.stdout.write(`mixed calls: CHAOS_SEED=${SEED} repeats this run\n`);
  const { evidence, violations } = await mixedRun({
    seed: SEED,
    calls: CALLS,
    gateways: GATEWAYS,
    atOnce: 60,
    faults: [{ atCall: random.between(50, CALLS - 100), fault: kill }],
    ownPostgres: false,
    orphans: 'age',
  });
  expect(describeViolations(violations)).toBe('');
  expect(check(evidence)).toEqual([]);
  expect(
    evidence.history.filter(({ op, type }) => op === 'call' && type === 'invoke').length,
  ).toBeGreaterThanOrEqual(CALLS);
}, 120_000);
