/**
 * The same event scripts through cockatiel, where the two mean the same. They do not, and scripts avoid it, in:
 * - the clock: cockatiel reads the wall clock, which is therefore steered here;
 * - the rate: cockatiel opens above its threshold, ours at it, so cockatiel's is set a hair lower;
 * - when it looks: cockatiel judges on failures only, so a success that completes the minimum opens only ours;
 * - the window: cockatiel moves one bucket per call at most and keeps old ones while it is quiet, ours goes by time;
 *   scripts stay within one window between openings;
 * - half-open: cockatiel makes further callers wait for the probes, ours rejects them; scripts probe one at a time;
 * - after a close: cockatiel's window begins with the success that closed it, ours empty; a script ends there;
 * - stale results: cockatiel lets them into its counts; scripts await every call.
 */
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  noJitterGenerator,
  SamplingBreaker,
} from 'cockatiel';
import fc from 'fast-check';
import { Breaker, BreakerOpenError } from '../src';
import { VirtualClock } from '../src/testing';

const SCRIPTS = Number(process.env['BREAKER_DIFFERENTIAL_SCRIPTS'] ?? 1_000);
const A_HAIR = 1e-9;
const PHASES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'isolated',
} as const;

function pair(clock: VirtualClock) {
  const theirs = circuitBreaker(handleAll, {
    halfOpenAfter: new ExponentialBackoff({
      initialDelay: 30_000,
      maxDelay: 120_000,
      exponent: 2,
      generator: noJitterGenerator,
    }),
    breaker: new SamplingBreaker({ threshold: 0.5 - A_HAIR, duration: 10_000, minimumRps: 2 }),
    halfOpenSampling: { calls: 3, threshold: 0 },
  });
  return { ours: new Breaker({ name: 'differential', clock }), theirs };
}

type Seen = 'answered' | 'failed' | 'rejected';

async function seen(run: () => Promise<unknown>): Promise<Seen> {
  try {
    await run();
    return 'answered';
  } catch (error) {
    const rejected = error instanceof BreakerOpenError || error instanceof BrokenCircuitError;
    return rejected ? 'rejected' : 'failed';
  }
}

const event = fc.oneof(
  { weight: 12, arbitrary: fc.constant<'fail'>('fail') },
  { weight: 8, arbitrary: fc.constant<'succeed'>('succeed') },
  { weight: 1, arbitrary: fc.constantFrom(15_000, 29_999, 30_000, 60_000, 120_000) },
);

describe('cockatiel', () => {
  let clock: VirtualClock;
  let wallClock: jest.SpyInstance;

  beforeEach(() => {
    clock = new VirtualClock(1_000_000);
    wallClock = jest.spyOn(Date, 'now').mockImplementation(() => clock.nowMs());
  });
  afterEach(() => wallClock.mockRestore());

  /** Ends where the two part: when ours opened on a success, or after a close. */
  async function play(events: readonly ('fail' | 'succeed' | number)[]): Promise<string[]> {
    const { ours, theirs } = pair(clock);
    const phases: string[] = [];
    for (const step of events) {
      if (typeof step === 'number') {
        if (ours.view().phase === 'open') clock.jump(step);
        continue;
      }
      const call = () =>
        step === 'fail' ? Promise.reject(new Error(step)) : Promise.resolve(step);
      const phaseBefore = ours.view().phase;
      const mine = await seen(() => ours.run(call));
      const phase = ours.view().phase;
      if (phaseBefore === 'closed' && phase === 'open' && step === 'succeed') break;
      expect(await seen(() => theirs.execute(call))).toBe(mine);
      expect(PHASES[theirs.state]).toBe(phase);
      phases.push(phase);
      if (phaseBefore === 'half-open' && phase === 'closed') break;
    }
    return phases;
  }

  test('opens, rejects, probes, reopens and closes at the same events', async () => {
    const visited = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 30, maxLength: 120 }), async (events) => {
        for (const phase of await play(events)) visited.add(phase);
      }),
      { numRuns: SCRIPTS },
    );
    expect([...visited].sort()).toEqual(['closed', 'half-open', 'open']);
  });

  test('holds off as long after the first, second, third and fourth opening', async () => {
    const openings = [30_000, 60_000, 120_000, 120_000].flatMap((waitMs) => [
      waitMs - 1,
      'fail' as const,
      1,
      'fail' as const,
    ]);
    const phases = await play([...Array<'fail'>(20).fill('fail'), ...openings]);
    expect(phases.filter((phase) => phase === 'open').length).toBe(9);
  });
});
