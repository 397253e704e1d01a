/**
 * Random event scripts against the reference breaker. `BREAKER_SCRIPTS=1000000` runs as many;
 * a failing run prints its seed, and `BREAKER_SEED` replays it.
 */
import fc from 'fast-check';
import {
  createBreaker,
  DEFAULT_BREAKER,
  endIsolation,
  isolate,
  onResult,
  tryAcquire,
  viewBreaker,
  type BreakerOutcome,
  type BreakerSettings,
} from '../src/core';
import { ReferenceBreaker } from './breaker-reference';

const SCRIPTS = Number(process.env['BREAKER_SCRIPTS'] ?? 30_000);
const SEED = Number(process.env['BREAKER_SEED'] ?? Date.now() & 0x7fffffff);

// Small figures, so that a short script sees every state several times.
const settings: fc.Arbitrary<BreakerSettings> = fc
  .record({
    minimumCalls: fc.integer({ min: 1, max: 5 }),
    failureRate: fc.constantFrom(0.2, 0.5, 0.8),
    slowCallMs: fc.constantFrom(300, 2_000, Infinity),
    slowCallRate: fc.constantFrom(0.5, 1),
    halfOpenPermits: fc.integer({ min: 1, max: 3 }),
    successesToClose: fc.integer({ min: 1, max: 4 }),
    reopenFactor: fc.constantFrom(1, 2, 3),
    openMs: fc.constantFrom(500, 2_000),
    maxHalfOpenWaitMs: fc.constantFrom(1_500, 60_000),
    windowBuckets: fc.constantFrom(2, 10),
  })
  .map((some) => ({ ...DEFAULT_BREAKER, maxOpenMs: some.openMs * 4, ...some }));

// A number says it all: less for shrinking to wander about in, less to generate.
type Script = readonly number[];
const script: fc.Arbitrary<Script> = fc.array(fc.nat(999_999), {
  minLength: 5,
  maxLength: 80,
  size: 'max',
});

const OUTCOMES: readonly BreakerOutcome[] = ['failure', 'failure', 'success', 'success', 'ignored'];
const PAUSES_MS = [1, 100, 499, 500, 1_000, 1_500, 3_000, 12_000];

/** Plays one script on both; returns the phases visited. */
function play(rules: BreakerSettings, events: Script): string {
  const state = createBreaker(rules, () => 0, 0);
  const reference = new ReferenceBreaker(rules);
  type Held = [number, NonNullable<ReturnType<ReferenceBreaker['acquire']>>, number];
  const held: Held[] = [];
  let nowMs = 0;
  let path = '';

  const acquire = (): void => {
    const permit = tryAcquire(state, nowMs);
    const expected = reference.acquire(nowMs);
    if ((permit === undefined) !== (expected === undefined)) {
      throw new Error(`the breaker ${permit === undefined ? 'rejected' : 'admitted'} after${path}`);
    }
    if (permit !== undefined && expected) held.push([permit, expected, nowMs]);
  };
  const answer = (pick: number): void => {
    const [taken] = held.splice(pick % Math.max(1, held.length), 1);
    const outcome = OUTCOMES[pick % OUTCOMES.length];
    if (!taken || !outcome) return;
    const [permit, expected, sinceMs] = taken;
    onResult(state, permit, outcome, nowMs - sinceMs, nowMs);
    reference.answer(expected, outcome, nowMs);
  };

  for (const event of events) {
    const kind = event % 20;
    const pick = Math.floor(event / 20);
    if (kind < 8) acquire();
    else if (kind < 15) answer(pick);
    else if (kind < 18) nowMs += PAUSES_MS[pick % PAUSES_MS.length] ?? 0;
    else if (kind === 18) viewBreaker(state, nowMs);
    else if (pick % 4 === 0) {
      isolate(state, nowMs);
      reference.hold();
    } else {
      endIsolation(state, nowMs);
      reference.letGo();
    }
    if (state.phase !== reference.period.phase) {
      throw new Error(`${state.phase} instead of ${reference.period.phase} after${path}`);
    }
    if (!path.endsWith(state.phase)) path += ` ${state.phase}`;
  }
  return path;
}

test(`23: ${SCRIPTS} random scripts end as the reference breaker does, seed ${SEED}`, () => {
  const visited = new Map<string, number>();
  fc.assert(
    fc.property(settings, script, (rules, events) => {
      const phases = play(rules, events).trim().split(' ');
      for (const phase of phases) visited.set(phase, (visited.get(phase) ?? 0) + 1);
    }),
    { numRuns: SCRIPTS, seed: SEED },
  );
  // A run that never got far would prove nothing.
  for (const phase of ['closed', 'open', 'half-open', 'isolated']) {
    if ((visited.get(phase) ?? 0) < SCRIPTS / 10) throw new Error(`hardly ever ${phase}`);
  }
}, 3_600_000);
