import { VirtualClock } from '../testing';
import {
  createBreaker,
  endIsolation,
  isolate,
  onResult,
  openWaitMs,
  tryAcquire,
  viewBreaker,
  type BreakerOutcome,
  type BreakerSettings,
  type BreakerState,
} from './breaker';
import { restoreBreaker, snapshotBreaker } from './breaker-snapshot';
import { DEFAULT_BREAKER } from './configured';

/** A breaker on a virtual clock, driven as a shell would drive it. */
class Rig {
  readonly clock = new VirtualClock(5_000);
  readonly state: BreakerState;

  constructor(settings: Partial<BreakerSettings> = {}, random = () => 0) {
    this.state = createBreaker({ ...DEFAULT_BREAKER, ...settings }, random, this.clock.nowMs());
  }

  acquire(): number | undefined {
    return tryAcquire(this.state, this.clock.nowMs());
  }

  permit(): number {
    const permit = this.acquire();
    if (permit === undefined) throw new Error('the breaker rejected');
    return permit;
  }

  answer(permit: number, outcome: BreakerOutcome, tookMs = 1): void {
    onResult(this.state, permit, outcome, tookMs, this.clock.nowMs());
  }

  calls(count: number, outcome: BreakerOutcome, tookMs = 1): void {
    for (let n = 0; n < count; n++) this.answer(this.permit(), outcome, tookMs);
  }

  view() {
    return viewBreaker(this.state, this.clock.nowMs());
  }

  get path(): string {
    return this.state.transitions.map(({ from, to, reason }) => `${from}→${to} ${reason}`).join();
  }
}

function opened(settings: Partial<BreakerSettings> = {}, random?: () => number): Rig {
  const rig = new Rig(settings, random);
  rig.calls(settings.minimumCalls ?? 20, 'failure');
  expect(rig.state.phase).toBe('open');
  return rig;
}

function halfOpened(settings: Partial<BreakerSettings> = {}): Rig {
  const rig = opened(settings);
  rig.clock.jump(30_000);
  return rig;
}

describe('closed', () => {
  test('1: below the minimum of calls it never opens', () => {
    const rig = new Rig();
    rig.calls(19, 'failure');
    expect(rig.state.phase).toBe('closed');
  });

  test('2: a failure rate equal to the threshold opens', () => {
    const rig = new Rig();
    rig.calls(10, 'success');
    rig.calls(9, 'failure');
    expect(rig.state.phase).toBe('closed');
    rig.calls(1, 'failure');
    expect(rig.path).toBe('closed→open failure-rate');
  });

  test('2: the call that reaches the minimum is judged even if it succeeds', () => {
    const rig = new Rig();
    rig.calls(19, 'failure');
    rig.calls(1, 'success');
    expect(rig.state.phase).toBe('open');
  });

  test('2: ten thousand old successes do not delay the opening', () => {
    const rig = new Rig();
    rig.calls(10_000, 'success');
    rig.clock.jump(10_000);
    rig.calls(20, 'failure');
    expect(rig.state.phase).toBe('open');
  });

  test('3: a bucket leaves the window exactly at its edge', () => {
    const rig = new Rig();
    rig.calls(19, 'failure');
    rig.clock.jump(9_999);
    expect(rig.view().failures).toBe(19);
    rig.clock.jump(1);
    expect(rig.view().failures).toBe(0);
    rig.calls(1, 'failure');
    expect(rig.state.window.totals).toEqual({ calls: 1, failures: 1, slow: 0 });
  });

  test('3: one millisecond before the edge the old calls still count', () => {
    const rig = new Rig();
    rig.calls(19, 'failure');
    rig.clock.jump(9_999);
    rig.calls(1, 'failure');
    expect(rig.state.phase).toBe('open');
  });

  test('4: a slow-call rate equal to its threshold opens although nothing failed', () => {
    const rig = new Rig({ slowCallMs: 2_000, slowCallRate: 0.5 });
    rig.calls(10, 'success', 1_999);
    rig.calls(10, 'success', 2_000);
    expect(rig.path).toBe('closed→open slow-call-rate');
  });

  test('5, 7: what is ignored is not counted', () => {
    const rig = new Rig();
    rig.calls(1_000, 'ignored');
    expect(rig.view()).toMatchObject({ phase: 'closed', calls: 0 });
  });
});

describe('open', () => {
  test('8: rejects', () => {
    const rig = opened();
    expect(rig.acquire()).toBeUndefined();
    rig.clock.jump(29_999);
    expect(rig.acquire()).toBeUndefined();
    expect(rig.view().retryAfterMs).toBe(1);
  });

  test('9: only an acquire after the wait makes it half-open', () => {
    const rig = opened();
    rig.clock.jump(3_600_000);
    expect(rig.state.phase).toBe('open');
    expect(rig.acquire()).toBeDefined();
    expect(rig.state.phase).toBe('half-open');
  });

  test('10: the wall clock does not matter', () => {
    const wallClock = jest.spyOn(Date, 'now');
    const rig = opened();
    for (const jumpMs of [-3_600_000, 3_600_000]) {
      wallClock.mockReturnValue(new Date().getTime() + jumpMs);
      expect(rig.acquire()).toBeUndefined();
    }
    rig.clock.jump(30_000);
    expect(rig.acquire()).toBeDefined();
    expect(wallClock).not.toHaveBeenCalled();
    wallClock.mockRestore();
  });
});

describe('half-open', () => {
  test('11: exactly three probes at a time, of five hundred callers', () => {
    const rig = halfOpened();
    const permits = Array.from({ length: 500 }, () => rig.acquire());
    expect(permits.filter((permit) => permit !== undefined)).toHaveLength(3);
  });

  test('12: the fourth is rejected at once, and stays rejected after a success', () => {
    const rig = halfOpened();
    const [first] = [rig.permit(), rig.permit(), rig.permit()];
    expect(rig.acquire()).toBeUndefined();
    rig.answer(first, 'success');
    expect(rig.acquire()).toBeUndefined();
  });

  test('5, 7: an ignored probe gives its permit back', () => {
    const rig = halfOpened();
    const permits = [rig.permit(), rig.permit(), rig.permit()];
    for (const permit of permits) rig.answer(permit, 'ignored');
    expect(rig.state.phase).toBe('half-open');
    expect([rig.acquire(), rig.acquire(), rig.acquire()]).not.toContain(undefined);
    expect(rig.acquire()).toBeUndefined();
  });

  test('13: hung probes reopen it after the longest wait', () => {
    const rig = halfOpened({ maxHalfOpenWaitMs: 60_000 });
    const hung = rig.permit();
    rig.clock.jump(59_999);
    expect(rig.acquire()).toBeDefined();
    rig.clock.jump(1);
    expect(rig.acquire()).toBeUndefined();
    expect(rig.path).toContain('half-open→open probe-hung');
    rig.answer(hung, 'success');
    expect(rig.state.phase).toBe('open');
  });

  test('13: a probe that answers too late counts as hung', () => {
    const rig = halfOpened();
    const late = rig.permit();
    rig.clock.jump(60_000);
    rig.answer(late, 'success');
    expect(rig.path).toContain('half-open→open probe-hung');
  });

  test('13: no probe out means nothing hangs, however long it is quiet', () => {
    const rig = halfOpened();
    rig.answer(rig.permit(), 'success');
    rig.clock.jump(3_600_000);
    rig.calls(2, 'success');
    expect(rig.state.phase).toBe('closed');
  });

  test('14: three successes close it and clear the window', () => {
    const rig = halfOpened();
    rig.calls(3, 'success');
    expect(rig.state.phase).toBe('closed');
    rig.calls(19, 'failure');
    expect(rig.state.phase).toBe('closed');
  });

  test('15: the first failed probe reopens it', () => {
    const rig = halfOpened();
    rig.calls(2, 'success');
    rig.calls(1, 'failure');
    expect(rig.path).toContain('half-open→open probe-failed');
  });

  test('15: so does a slow one where slow calls count', () => {
    const rig = halfOpened({ slowCallMs: 1_000 });
    rig.calls(1, 'success', 1_000);
    expect(rig.state.phase).toBe('open');
  });
});

describe('16: the wait', () => {
  const waits = (rig: Rig, reopenings: number): number[] =>
    Array.from({ length: reopenings }, () => {
      const waitMs = rig.view().retryAfterMs;
      rig.clock.jump(waitMs);
      rig.calls(1, 'failure');
      return waitMs;
    });

  test('doubles with each reopening up to its cap', () => {
    expect(waits(opened(), 5)).toEqual([30_000, 60_000, 120_000, 120_000, 120_000]);
  });

  test('starts afresh after a close', () => {
    const rig = opened();
    waits(rig, 2);
    rig.clock.jump(120_000);
    rig.calls(3, 'success');
    rig.calls(20, 'failure');
    expect(rig.view().retryAfterMs).toBe(30_000);
  });

  test('is shortened by jitter, never lengthened', () => {
    expect(
      waits(
        opened({ openJitter: 0.2 }, () => 0.5),
        3,
      ),
    ).toEqual([27_000, 54_000, 108_000]);
  });

  test('does not overflow', () => {
    expect(openWaitMs(DEFAULT_BREAKER, 100_000, () => 0)).toBe(120_000);
  });
});

describe('17: a result of an older generation changes nothing', () => {
  const unchangedBy = (rig: Rig, permit: number): void => {
    const before = structuredClone({ ...rig.state, random: undefined });
    for (const outcome of ['success', 'failure', 'ignored'] as const) rig.answer(permit, outcome);
    expect({ ...rig.state, random: undefined }).toEqual(before);
  };
  const trip = (rig: Rig): void => rig.calls(20, 'failure');
  const probe = (rig: Rig): number => {
    rig.clock.jump(rig.view().retryAfterMs);
    return rig.permit();
  };

  test('begun closed, ended open', () => {
    const rig = new Rig();
    const stale = rig.permit();
    trip(rig);
    unchangedBy(rig, stale);
  });

  test('begun closed, ended half-open: three late successes are no probes', () => {
    const rig = new Rig();
    const stale = rig.permit();
    trip(rig);
    probe(rig);
    unchangedBy(rig, stale);
  });

  test('begun closed, ended in the next closed', () => {
    const rig = new Rig();
    const stale = rig.permit();
    trip(rig);
    rig.answer(probe(rig), 'success');
    rig.calls(2, 'success');
    unchangedBy(rig, stale);
  });

  test('begun half-open, ended open', () => {
    const rig = halfOpened();
    const stale = rig.permit();
    rig.calls(1, 'failure');
    unchangedBy(rig, stale);
  });

  test('begun half-open, ended in the next half-open', () => {
    const rig = halfOpened();
    const stale = rig.permit();
    rig.calls(1, 'failure');
    probe(rig);
    unchangedBy(rig, stale);
  });

  test('begun half-open, ended closed', () => {
    const rig = halfOpened();
    const stale = rig.permit();
    rig.calls(1, 'failure');
    rig.answer(probe(rig), 'success');
    rig.calls(2, 'success');
    expect(rig.state.phase).toBe('closed');
    unchangedBy(rig, stale);
  });
});

describe('18: isolation', () => {
  const rigs = { closed: () => new Rig(), open: opened, 'half-open': halfOpened };

  test.each(Object.entries(rigs))('beats %s', (_, rigOf) => {
    const rig = rigOf();
    rig.acquire();
    isolate(rig.state, rig.clock.nowMs());
    rig.clock.jump(3_600_000);
    expect(rig.acquire()).toBeUndefined();
    expect(rig.view().retryAfterMs).toBe(Infinity);
  });

  test('nests: only the last release ends it, with a clean slate', () => {
    const rig = opened();
    isolate(rig.state, 0);
    isolate(rig.state, 0);
    endIsolation(rig.state, 0);
    expect(rig.state.phase).toBe('isolated');
    endIsolation(rig.state, 0);
    expect(rig.view()).toMatchObject({ phase: 'closed', calls: 0, openings: 0 });
  });

  test('a release too many does nothing', () => {
    const rig = opened();
    endIsolation(rig.state, 0);
    expect(rig.state.phase).toBe('open');
  });

  test('results of calls begun before it count for nothing', () => {
    const rig = new Rig({ minimumCalls: 1 });
    const stale = rig.permit();
    isolate(rig.state, 0);
    rig.answer(stale, 'failure');
    endIsolation(rig.state, 0);
    rig.answer(stale, 'failure');
    expect(rig.state.phase).toBe('closed');
  });
});

test('19: reading makes no transition, whatever time it is', () => {
  const rig = opened();
  const before = structuredClone({ ...rig.state, random: undefined });
  for (let n = 0; n < 100; n++) {
    rig.clock.jump(1_000);
    rig.view();
    snapshotBreaker(rig.state, rig.clock.nowMs());
  }
  expect({ ...rig.state, random: undefined }).toEqual(before);
});

test('22: every transition is recorded once, in order', () => {
  const rig = halfOpened();
  rig.calls(1, 'failure');
  rig.clock.jump(60_000);
  rig.calls(3, 'success');
  expect(rig.path.split(',')).toEqual([
    'closed→open failure-rate',
    'open→half-open wait-over',
    'half-open→open probe-failed',
    'open→half-open wait-over',
    'half-open→closed probes-succeeded',
  ]);
});

describe('24: a restart', () => {
  const restarted = (rig: Rig, atMs = 0): BreakerState => {
    const snapshot = snapshotBreaker(rig.state, rig.clock.nowMs());
    return restoreBreaker(structuredClone(snapshot), DEFAULT_BREAKER, () => 0, atMs);
  };

  test('starts closed and empty without a snapshot', () => {
    expect(new Rig().view()).toMatchObject({ phase: 'closed', calls: 0, openings: 0 });
  });

  test('keeps the rest of the wait and the doubling', () => {
    const rig = opened();
    rig.clock.jump(10_000);
    const state = restarted(rig, 100);
    expect(tryAcquire(state, 20_099)).toBeUndefined();
    const probe = tryAcquire(state, 20_100);
    expect(probe).toBeDefined();
    onResult(state, probe ?? -1, 'failure', 1, 20_100);
    expect(viewBreaker(state, 20_100).retryAfterMs).toBe(60_000);
  });

  test('turns half-open into an open whose wait is over', () => {
    const rig = halfOpened();
    rig.permit();
    const state = restarted(rig);
    expect(state.phase).toBe('open');
    expect(tryAcquire(state, 0)).toBeDefined();
  });

  test('keeps the window, bucket by bucket', () => {
    const rig = new Rig();
    rig.calls(10, 'failure');
    rig.clock.jump(4_000);
    rig.calls(9, 'failure');
    const state = restarted(rig, 500);
    expect(viewBreaker(state, 500)).toMatchObject({ calls: 19, failures: 19 });
    expect(viewBreaker(state, 5_999).calls).toBe(19);
    expect(viewBreaker(state, 6_000).calls).toBe(9);
    onResult(state, tryAcquire(state, 500) ?? -1, 'failure', 1, 500);
    expect(state.phase).toBe('open');
  });

  test('frees an isolated breaker, whose handles are gone', () => {
    const rig = opened();
    isolate(rig.state, rig.clock.nowMs());
    expect(restarted(rig).phase).toBe('closed');
  });
});
