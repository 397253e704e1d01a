import { randomUUID } from 'node:crypto';
import { sessionKeys } from '@matsuri/contract';
import type { FaultProxy } from '@matsuri/local';
import { setTimeout } from 'node:timers/promises';
import { eventually } from '../../../test/eventually';
import type { AnswerPart, SessionRef } from '../ports';
import {
  degradationOf,
  endingsOf,
  partsOf,
  setAnsweringStage,
  textOf,
  unheard,
  type AnsweringStage,
} from './test/stage';

const LINKS = ['intent', 'search', 'embedding', 'table', 'redis'] as const;
type Link = (typeof LINKS)[number];

/** What an answer says it had to do without. */
const MISSING = {
  intent: 'intent',
  search: 'retrieval',
  embedding: 'embedding',
  table: 'history',
  redis: 'cache',
} as const;

const BREAKER_OF = {
  intent: 'sagemaker',
  search: 'opensearch',
  embedding: 'embedding',
  table: 'dynamodb',
  redis: 'redis',
} as const;

const FAULTS: Readonly<Record<string, (link: FaultProxy) => unknown>> = {
  killed: (link) => link.down(),
  hung: (link) => link.add({ type: 'timeout' }),
  'slowed beyond its cap': (link) => link.add({ type: 'latency', latencyMs: 10_000 }),
  'cut as it answers': (link) =>
    link.add({ type: 'limit_data', direction: 'downstream', bytes: 0, ending: 'reset' }),
};

const CASES = Object.keys(FAULTS).flatMap((fault) => LINKS.map((link) => [link, fault] as const));

const MINIMUM_CALLS = 5;
// More failures in a window than a breaker needs to see, whatever went well before.
const AT_ONCE = 8;
const ROUNDS = 4;

let stage: AnsweringStage;
let session: SessionRef;

beforeAll(async () => {
  stage = await setAnsweringStage({
    overrides: {
      answering: { branchCapMs: 1_000 },
      breaker: {
        minimumCalls: MINIMUM_CALLS,
        windowSeconds: 2,
        openSeconds: 1,
        maxOpenSeconds: 1,
      },
      retry: { maxAttempts: 2 },
    },
  });
  await makeSessions((CASES.length + 1) * (ROUNDS * AT_ONCE + 1));
}, 60_000);
afterAll(() => stage.close());
beforeEach(async () => {
  session = freshSession();
  // Whatever the last fault left behind is over when nothing is missing any more.
  await until(isWell);
});
afterEach(async () => {
  await Promise.all(LINKS.map((name) => heal(stage.links[name])));
});

async function heal(link: FaultProxy): Promise<void> {
  link.heal();
  link.cutConnections();
  await link.up();
}

/** A question nobody asked before. */
function ask(on = session): Promise<AnswerPart[]> {
  return partsOf(stage.ask(on, `新刊のおすすめ ${randomUUID()}`));
}

/**
 * Asks now and then until it holds: often enough to close a breaker, seldom enough that the window does not fill with
 * successes, which the next fault would have to outweigh.
 */
async function until(holds: (parts: readonly AnswerPart[]) => boolean): Promise<void> {
  for (let asked = 0; asked < 60; asked += 1) {
    if (holds(await ask())) return;
    await setTimeout(250);
  }
  throw new Error('it never came');
}

function isWell(parts: readonly AnswerPart[]): boolean {
  return degradationOf(parts).parts.length === 0;
}

/** Sessions whose turns are in no cache yet. */
const fresh: SessionRef[] = [];

/** Made before anything is broken. */
async function makeSessions(count: number): Promise<void> {
  while (fresh.length < count) {
    const made = await Promise.all(Array.from({ length: 25 }, () => stage.newSession()));
    // That a session is new is known without the table, for some minutes: these are older.
    await Promise.all(made.map((it) => stage.redis.del(sessionKeys.history(it))));
    fresh.push(...made);
  }
}

function freshSession(): SessionRef {
  const session = fresh.pop();
  if (!session) throw new Error('too few sessions were made');
  return session;
}

function breakerLines(link: Link, to: string): readonly string[] {
  return stage
    .written()
    .filter((line) => line.includes(`"downstream":"${BREAKER_OF[link]}"`))
    .filter((line) => line.includes(`"to":"${to}"`));
}

test.each(CASES)(
  '%s %s: answers arrive and say so, its breaker opens, and closes when it is back',
  async (link, fault) => {
    const opened = breakerLines(link, 'open').length;
    const closed = breakerLines(link, 'closed').length;
    await FAULTS[fault]?.(stage.links[link]);
    const hasOpened = () => breakerLines(link, 'open').length > opened;
    for (let rounds = 0; rounds < ROUNDS && (rounds < 2 || !hasOpened()); rounds += 1) {
      const round = Array.from({ length: AT_ONCE }, () => ask(freshSession()));
      for (const parts of await Promise.all(round)) {
        expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'stop' }]);
        expect(textOf(parts)).not.toBe('');
        expect(degradationOf(parts).parts).toContain(MISSING[link]);
      }
    }
    expect(hasOpened()).toBe(true);

    await heal(stage.links[link]);
    await until(isWell);
    await until(() => breakerLines(link, 'closed').length > closed);
  },
  60_000,
);

test('everything but the models at once: there is still an answer, and it names all it lacks', async () => {
  await Promise.all(LINKS.map((name) => stage.links[name].down()));
  const parts = await ask(freshSession());
  expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'stop' }]);
  const { parts: missing, rung } = degradationOf(parts);
  expect([...missing].sort()).toEqual(Object.values(MISSING).sort());
  expect(rung).toBe('full');
});

test('a turn that the table could not take is not forgotten silently: no follow-up passes for a first question', async () => {
  const text = `営業時間は何時までですか ${unheard()}`;
  await partsOf(stage.ask(await stage.newSession('user-1'), text));
  await stage.answerer.idle();
  const other = await stage.newSession('user-2');
  await eventually(async () => (await stage.redis.get(sessionKeys.history(other)))?.includes('[]'));

  await stage.links.table.down();
  const first = await partsOf(stage.ask(other, `新宿店に行きたいです ${unheard()}`));
  // That nothing was said before is known without the table.
  expect(degradationOf(first).parts).toEqual([]);
  await stage.answerer.idle();
  const followUp = await partsOf(stage.ask(other, text));
  expect(degradationOf(followUp)).toEqual({ parts: ['history'], rung: 'full' });
  // It was said by a model: the cache knows what the words mean only where nothing was said before.
  expect(followUp.some(({ type }) => type === 'usage')).toBe(true);
});

test('a downstream that is slow within its cap degrades nothing', async () => {
  for (const name of LINKS) stage.links[name].add({ type: 'latency', latencyMs: 20 });
  expect(degradationOf(await ask())).toEqual({ parts: [], rung: 'full' });
});

test('an answer cancelled while a downstream hangs ends at once', async () => {
  stage.links.intent.add({ type: 'timeout' });
  const cancel = new AbortController();
  const answer = partsOf(stage.ask(session, `待って ${randomUUID()}`, cancel.signal));
  cancel.abort();
  expect(endingsOf(await answer)).toMatchObject([{ type: 'done', finish: 'cancelled' }]);
});

test('how the downstreams fare is measured', async () => {
  stage.links.search.add({ type: 'timeout' });
  await ask();
  const written = stage.written().join('\n');
  for (const name of [
    'orchestrator.overhead_ms',
    'orchestrator.end_to_end_ms',
    'orchestrator.fanout_parallel_ms',
    'orchestrator.answers',
    'circuit_breaker.fallback_invocations',
  ]) {
    expect(written).toContain(name);
  }
});
