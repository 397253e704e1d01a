/** A checker that cannot fail is worth nothing: every kind of bug is planted once, and must be seen. */
import { check } from '../../chaos/harness/checker/check';
import type { Invariant } from '../../chaos/harness/checker/violation';
import type { Evidence, LedgerRow, UpstreamAttempt } from '../../chaos/harness/evidence';
import type { CallEnded, HistoryRecord } from '../../chaos/harness/history';

const MODEL = 'jp.haiku';
const REGION = 'ap-northeast-1';
const TARGET = `${MODEL}@${REGION}`;
const USAGE = { inputTokens: 20, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 };
const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function invoke(id: string, atMs: number, gateway = 'a#1'): HistoryRecord {
  const call = { op: 'call', type: 'invoke', tenant: 't', model: 'simple', stream: true } as const;
  return { ...call, atMs, actor: 'client', id, gateway };
}

function ended(id: string, atMs: number, more: Partial<CallEnded>): CallEnded {
  const blank = { status: 200, text: '', tokens: 0, ending: 'completed', type: 'ok' } as const;
  return { op: 'call', actor: 'client', atMs, id, ...blank, ...more };
}

function process(id: string, atMs: number, event: 'started' | 'killed' | 'died'): HistoryRecord {
  return { op: 'process', type: 'info', actor: 'harness', atMs, id, event };
}

function seen(attemptId: string, startedAtMs: number, more: Partial<UpstreamAttempt>) {
  const blank = { operation: 'ConverseStream', script: 'ok', outcome: 'finished' } as const;
  const counts = { inputTokens: 20, tokensEmitted: 3, text: 'one two three' };
  const place = { attemptId, model: MODEL, region: REGION, startedAtMs };
  return { ...blank, ...counts, ...place, endedAtMs: startedAtMs + 100, ...more };
}

function row(attemptId: string, requestId: string, more: Partial<LedgerRow>): LedgerRow {
  const owner = { tenantId: 't', accountId: 'account', spendDay: '2026-01-01', createdAtMs: 0 };
  const blank = { status: 'settled', outcome: 'completed', reservedMoney: 90 } as const;
  return { attemptId, requestId, ...owner, ...blank, costMoney: 10, ...USAGE, ...more };
}

/** One call of every kind, as a faultless gateway leaves it behind. */
function sound(): Evidence {
  const left = { ending: 'left', type: 'fail', text: 'one two', tokens: 2 } as const;
  return {
    settings: {
      slotsPerTask: 2,
      gateways: 2,
      departureNoticeMs: 1_000,
      blurMs: 10,
      buckets: [{ model: MODEL, region: REGION, requestsPerMinute: 600, burst: 5 }],
      breaker: { halfOpenPermits: 3 },
    },
    history: [
      process('a#1', 0, 'started'),
      process('b#1', 0, 'started'),
      invoke('whole', 1_000),
      ended('whole', 1_200, {
        text: 'one two three',
        tokens: 3,
        usage: { inputTokens: 20, outputTokens: 3 },
      }),
      invoke('gone', 2_000),
      ended('gone', 2_050, left),
      invoke('busy', 3_000),
      ended('busy', 3_010, { ending: 'refused', type: 'fail', status: 503, retryAfter: '1' }),
      invoke('killed', 4_000, 'b#1'),
      process('b#1', 4_050, 'killed'),
      ended('killed', 4_060, { ending: 'cut', type: 'fail', text: 'one', tokens: 1 }),
      invoke('second try', 5_000),
      ended('second try', 5_300, { text: 'one two three', tokens: 3 }),
    ],
    upstream: [
      seen('w1', 1_010, { usageSent: USAGE }),
      seen('g1', 2_010, { outcome: 'aborted', peerClosedAtMs: 2_060 }),
      seen('k1', 4_010, { outcome: 'aborted', peerClosedAtMs: 4_055 }),
      seen('s1', 5_010, { outcome: 'refused', tokensEmitted: 0, text: '' }),
      seen('s2', 5_120, { usageSent: USAGE }),
    ],
    rows: [
      row('w1', 'whole', {}),
      row('g1', 'gone', { status: 'estimated', outcome: 'client-gone', outputTokens: 2 }),
      row('k1', 'killed', { status: 'orphaned', outcome: 'owner-died', ...NOTHING, costMoney: 90 }),
      row('s1', 'second try', { outcome: 'upstream-error', ...NOTHING, costMoney: 0 }),
      row('s2', 'second try', {}),
    ],
    counters: [
      { accountId: 'account', day: '2026-01-01', daySpentMoney: 120, dayReservedMoney: 0 },
    ],
    redisKeys: [{ key: 'limit:{x}', ttlMs: 1_000 }],
    transitions: [
      { atMs: 6_000, gateway: 'a#1', target: TARGET, from: 'closed', to: 'open' },
      { atMs: 7_000, gateway: 'a#1', target: TARGET, from: 'open', to: 'half-open' },
      { atMs: 8_000, gateway: 'a#1', target: TARGET, from: 'half-open', to: 'closed' },
    ],
    logProblems: [],
    stillOpen: [{ what: 'slots', count: 0, allowed: 0 }],
  };
}

type Planted = (evidence: Evidence) => Partial<Evidence>;

const withRow =
  (attemptId: string, change: Partial<LedgerRow>): Planted =>
  ({ rows }) => ({
    rows: rows.map((it) => (it.attemptId === attemptId ? { ...it, ...change } : it)),
  });

const withUpstream =
  (attemptId: string, change: Partial<UpstreamAttempt>): Planted =>
  ({ upstream }) => ({
    upstream: upstream.map((it) => (it.attemptId === attemptId ? { ...it, ...change } : it)),
  });

const withEnding =
  (id: string, change: Partial<CallEnded>): Planted =>
  ({ history }) => ({
    history: history.map((it) => ('ending' in it && it.id === id ? { ...it, ...change } : it)),
  });

const withMore =
  (...records: HistoryRecord[]): Planted =>
  ({ history }) => ({ history: [...history, ...records] });

const without =
  (id: string): Planted =>
  ({ history }) => ({ history: history.filter((it) => !('ending' in it && it.id === id)) });

/** A request of its own for each arrival, so that a process can be held to it. */
function arrivals(count: number, gapMs: number, fromMs: number, lengthMs = 5): Planted {
  const times = Array.from({ length: count }, (_, index) => fromMs + index * gapMs);
  const done = { text: 'one two three', tokens: 3 };
  return ({ history, upstream, rows, counters }) => ({
    history: [
      ...history,
      ...times.flatMap((atMs) => [
        invoke(`n${atMs}`, atMs - 1),
        ended(`n${atMs}`, atMs + lengthMs, done),
      ]),
    ],
    upstream: [
      ...upstream,
      ...times.map((at) => seen(`n${at}`, at, { usageSent: USAGE, endedAtMs: at + lengthMs })),
    ],
    rows: [...rows, ...times.map((at) => row(`n${at}`, `n${at}`, { costMoney: 0 }))],
    counters,
  });
}

const planted: readonly [Invariant, string, Planted][] = [
  ['I1', 'a request without an ending', without('whole')],
  ['I1', 'two endings', withMore(ended('whole', 1_300, {}))],
  [
    'I1',
    'a word after the end',
    withMore({
      op: 'call',
      type: 'info',
      event: 'overrun',
      actor: 'client',
      atMs: 1_300,
      id: 'whole',
      detail: 'x',
    }),
  ],
  ['I1', 'a stream cut by a living process', withEnding('whole', { ending: 'cut' })],
  ['I1', 'a living process nobody can reach', withEnding('busy', { ending: 'unreachable' })],
  ['I1', 'a call that hangs', withEnding('whole', { ending: 'hung' })],
  ['I1', 'a refusal that does not say when to come back', withEnding('busy', { retryAfter: '0' })],
  ['I1', 'a failure of our own', withEnding('busy', { status: 500 })],
  ['I1', 'a process that dies by itself', withMore(process('a#1', 9_000, 'died'))],
  ['I1', 'a row nobody asked for', (it) => ({ rows: [...it.rows, row('x', 'nobody', {})] })],
  ['I2', 'a token too few', withRow('w1', { outputTokens: 2 })],
  ['I2', 'cache tokens lost', withUpstream('w1', { usageSent: { ...USAGE, cacheReadTokens: 5 } })],
  ['I2', 'a call without a row', (it) => ({ rows: it.rows.filter((r) => r.attemptId !== 's1') })],
  ['I2', 'an attempt with two rows', (it) => ({ rows: [...it.rows, row('w1', 'whole', {})] })],
  ['I2', 'an attempt made twice', (it) => ({ upstream: [...it.upstream, seen('w1', 1_020, {})] })],
  ['I2', 'usage lost at departure', withRow('g1', { outputTokens: 1 })],
  ['I2', 'more recorded than emitted', withRow('g1', { outputTokens: 4 })],
  ['I2', 'an estimate sold as exact', withRow('g1', { status: 'settled' })],
  ['I2', 'an exact figure sold as an estimate', withRow('w1', { status: 'estimated' })],
  ['I2', 'a refused call that costs', withRow('s1', { costMoney: 1 })],
  ['I2', 'a row left open', withRow('g1', { status: 'reserved' })],
  ['I2', 'an orphan of a living process', withRow('w1', { status: 'orphaned', costMoney: 90 })],
  ['I2', 'an orphan for nothing', withRow('k1', { costMoney: 0 })],
  ['I2', 'counters that drift', withRow('w1', { costMoney: 11 })],
  [
    'I2',
    'a client told another figure',
    withEnding('whole', { usage: { inputTokens: 20, outputTokens: 4 } }),
  ],
  ['I2', 'a completed answer without its attempt', withRow('w1', { outcome: 'client-gone' })],
  ['I3', 'a burst over the limit', arrivals(7, 20, 20_000)],
  ['I3', 'a rate over the limit', arrivals(60, 80, 20_000)],
  ['I4', 'three calls in two slots', arrivals(3, 100, 20_000, 1_000)],
  ['I4', 'a call that never ends', withUpstream('w1', { outcome: 'running' })],
  ['I4', 'a model that outlives its client', withUpstream('g1', { peerClosedAtMs: 3_500 })],
  ['I9', 'a call through an open breaker', arrivals(1, 1, 6_500)],
  ['I9', 'four probes at once', arrivals(4, 50, 7_100, 500)],
  [
    'I9',
    'a breaker that closes without a probe',
    ({ transitions }) => ({
      transitions: transitions.filter(({ to }) => to !== 'half-open'),
    }),
  ],
  ['words', 'a lost word', withEnding('whole', { text: 'one three' })],
  ['words', 'a spliced answer', withEnding('gone', { text: 'one nine' })],
  ['words', 'a missing end', withEnding('whole', { text: 'one two' })],
  ['quiet', 'a slot that leaks', () => ({ stillOpen: [{ what: 'slots', count: 1, allowed: 0 }] })],
  ['quiet', 'a key that stays', () => ({ redisKeys: [{ key: 'limit:{x}', ttlMs: -1 }] })],
  ['quiet', 'a forgotten rejection', () => ({ logProblems: [{ gateway: 'a#1', line: 'x' }] })],
];

test('a sound run is found sound', () => {
  expect(check(sound())).toEqual([]);
});

test('a refusal costs nothing, unless the connection was cut before it could be heard', () => {
  const evidence = sound();
  const estimated = withRow('s1', {
    status: 'estimated',
    inputTokens: 20,
    createdAtMs: 5_005,
  })(evidence);
  const cutAt = (atMs: number): HistoryRecord => ({
    ...{ op: 'fault', type: 'info', actor: 'faults', event: 'injected' },
    ...{ atMs, id: 'bedrock', detail: 'cut' },
  });
  const heard = { ...evidence, ...estimated };
  expect(check(heard)).toMatchObject([{ invariant: 'I2', subject: 's1' }]);
  const unheard = { ...heard, history: [...heard.history, cutAt(5_008)] };
  expect(check(unheard)).toEqual([]);
  const elsewhere = { ...heard, history: [...heard.history, cutAt(1_000)] };
  expect(check(elsewhere)).toMatchObject([{ invariant: 'I2', subject: 's1' }]);
});

test('arrivals within the limit are no violation', () => {
  const evidence = sound();
  expect(check({ ...evidence, ...arrivals(60, 110, 20_000)(evidence) })).toEqual([]);
});

test.each(planted)('%s: %s is seen', (invariant, _, plant) => {
  const evidence = sound();
  const found = check({ ...evidence, ...plant(evidence) });
  expect(found.map((it) => it.invariant)).toContain(invariant);
});
