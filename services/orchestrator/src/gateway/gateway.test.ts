import { DatabaseUnavailableError } from '@matsuri/database';
import { settled } from '@matsuri/resilience/testing';
import fc from 'fast-check';
import type { Outcome, StreamedAnswer } from './gateway';
import type { Behaviour } from './testing/fake-models';
import { aCall, setGatewayStage } from './testing/gateway-stage';

type Stage = ReturnType<typeof setGatewayStage>;

async function afterwards<T>({ clock }: Stage, promise: Promise<T>, ms: number): Promise<T> {
  await clock.advance(ms);
  return promise;
}

function answerOf(outcome: Outcome<StreamedAnswer>): StreamedAnswer {
  if (outcome.kind === 'refused') throw new Error(outcome.refusal.reason);
  return outcome.answer;
}

async function readAll(answer: StreamedAnswer): Promise<string> {
  let text = '';
  for await (const batch of answer.events) {
    for (const event of batch) if (event.type === 'text') text += event.text;
  }
  return text;
}

const outcomes = ({ ledger }: Stage) => ledger.settled.map(({ outcome }) => outcome);

function expectNothingHeld({ gateway, ledger, clock }: Stage): void {
  expect(gateway.figures()).toMatchObject({ inFlight: 0, waiting: 0, active: 0 });
  expect(ledger.settled.map(({ attemptId }) => attemptId).sort()).toEqual(
    ledger.reserved.map(({ attemptId }) => attemptId).sort(),
  );
  expect(clock.pendingTimers).toBe(0);
}

test('opens with the first content, and is recorded when it ends', async () => {
  const stage = setGatewayStage();
  const answer = answerOf(await afterwards(stage, stage.gateway.open(aCall()), 150));
  expect(stage.ledger.reserved).toHaveLength(1);
  expect(stage.ledger.settled).toHaveLength(0);
  expect(await afterwards(stage, readAll(answer), 150)).toBe('hello');
  expect(stage.ledger.settled).toMatchObject([
    { outcome: 'completed', status: 'settled', inputTokens: 10, outputTokens: 2 },
  ]);
  expectNothingHeld(stage);
});

test('who does not begin in time is left for the next, unless there is none', async () => {
  const stage = setGatewayStage();
  stage.models.behaviours.push('never-speaks', 'never-accepts', 'never-speaks');
  const opening = stage.gateway.open(aCall());
  await stage.clock.advance(20_100);
  await stage.clock.advance(20_100);
  expect(stage.models.calls.map(({ target }) => target.region)).toEqual([
    'ap-northeast-1',
    'ap-northeast-3',
    'ap-northeast-1',
  ]);
  await stage.clock.advance(18_000);
  expect(outcomes(stage)).toEqual(['failed-over', 'failed-over']);
  const outcome = await afterwards(stage, opening, 2_000);
  expect(outcome).toMatchObject({ kind: 'refused', refusal: { reason: 'first-content-late' } });
  expect(outcomes(stage)).toEqual(['failed-over', 'failed-over', 'timed-out']);
  expectNothingHeld(stage);
});

test('a model that breaks off after its first content is not replaced', async () => {
  const stage = setGatewayStage();
  stage.models.behaviours.push('breaks-off');
  const answer = answerOf(await afterwards(stage, stage.gateway.open(aCall()), 150));
  const reading = readAll(answer);
  reading.catch(() => undefined);
  await stage.clock.advance(150);
  await expect(reading).rejects.toThrow('broken');
  expect(stage.models.calls).toHaveLength(1);
  expect(stage.ledger.settled).toMatchObject([
    { outcome: 'upstream-error', status: 'estimated', outputTokens: 1 },
  ]);
  expectNothingHeld(stage);
});

test('a request that one model rejects is not shown to another', async () => {
  const stage = setGatewayStage();
  stage.models.behaviours.push('rejects');
  const outcome = await afterwards(stage, stage.gateway.open(aCall()), 10);
  expect(outcome).toMatchObject({ refusal: { reason: 'upstream-rejected', message: 'nonsense' } });
  expect(stage.models.calls).toHaveLength(1);
  expect(stage.ledger.settled).toMatchObject([{ costMicroUsd: 0, status: 'settled' }]);
});

test('without the ledger no model is called', async () => {
  const stage = setGatewayStage();
  stage.ledger.outcomes.push(new DatabaseUnavailableError('no-connection'));
  const outcome = await afterwards(stage, stage.gateway.open(aCall()), 10);
  expect(outcome).toMatchObject({ refusal: { reason: 'ledger-unavailable' } });
  expect(stage.models.calls).toHaveLength(0);
  expectNothingHeld(stage);
});

test('a target that keeps failing is no longer asked', async () => {
  const stage = setGatewayStage();
  const ask = () => afterwards(stage, stage.gateway.complete(aCall()), 100);
  for (let n = 0; n < 20; n += 1) {
    stage.models.behaviours.push('unavailable');
    await ask();
    stage.models.behaviours.length = 0;
  }
  stage.models.calls.length = 0;
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(stage.models.calls.map(({ target }) => target.region)).toEqual(['ap-northeast-3']);
  expect(stage.gateway.openBreakers()).toBe(1);
});

test('that our own connections are all taken says nothing about a target', async () => {
  const stage = setGatewayStage();
  const ask = () => afterwards(stage, stage.gateway.complete(aCall()), 100);
  for (let n = 0; n < 20; n += 1) {
    stage.models.behaviours.push('no-connection');
    await ask();
    stage.models.behaviours.length = 0;
  }
  expect(stage.gateway.openBreakers()).toBe(0);
});

test('attempts stay within a fifth more than requests', async () => {
  const stage = setGatewayStage({ breaker: { minimumCalls: 1_000_000 } });
  const requests = 200;
  stage.models.behaviours.push(...Array<Behaviour>(requests * 3).fill('unavailable'));
  const asked = Array.from({ length: requests }, () => stage.gateway.complete(aCall()));
  await afterwards(stage, Promise.all(asked), 2_000);
  expect(stage.models.calls.length).toBeGreaterThan(requests);
  expect(stage.models.calls.length).toBeLessThanOrEqual(requests * 1.2 + 3);
});

test('bought capacity is used first, and on demand when it fails', async () => {
  const arn = 'arn:aws:bedrock:ap-northeast-1:1:provisioned-model/a';
  const stage = setGatewayStage({}, [{ arn, units: 2, weight: 1 }]);
  stage.models.behaviours.push('throttled');
  await afterwards(stage, stage.gateway.complete(aCall()), 100);
  expect(stage.models.calls.map(({ target }) => target.provisionedArn)).toEqual([arn, undefined]);
  expect(stage.ledger.reserved.map(({ target }) => target)).toEqual([arn, 'on-demand']);
});

test.each([
  ['ap-northeast-3', ['jp' as const], true],
  ['us-east-1', ['jp' as const], false],
  ['us-east-1', null, true],
])(
  'capacity bought in %s, for a tenant bound to %j, is used: %s',
  async (region, residencies, used) => {
    const arn = `arn:aws:bedrock:${region}:1:provisioned-model/a`;
    const stage = setGatewayStage({}, [{ arn, units: 1, weight: 1 }]);
    const { caller } = aCall();
    const asking = stage.gateway.complete(aCall({ caller: { ...caller, residencies } }));
    await afterwards(stage, asking, 150);
    expect(stage.models.calls[0]?.target.provisionedArn).toBe(used ? arn : undefined);
  },
);

test('an answer that nobody reads loses its slot after a lease', async () => {
  const stage = setGatewayStage();
  answerOf(await afterwards(stage, stage.gateway.open(aCall()), 150));
  expect(stage.gateway.figures().active).toBe(1);
  await stage.clock.advance(60_000);
  expect(stage.ledger.settled).toMatchObject([{ outcome: 'client-gone' }]);
  expectNothingHeld(stage);
});

test('a silence between two chunks has its limit, and keeps its slot until then', async () => {
  const stage = setGatewayStage();
  stage.models.behaviours.push('falls-silent');
  const answer = answerOf(await afterwards(stage, stage.gateway.open(aCall()), 150));
  const reading = readAll(answer);
  reading.catch(() => undefined);
  await stage.clock.advance(299_000);
  expect(stage.gateway.figures().active).toBe(1);
  await stage.clock.advance(301_000);
  await expect(reading).rejects.toThrow('no answer within');
  expect(outcomes(stage)).toEqual(['timed-out']);
  expectNothingHeld(stage);
});

const behaviour = fc.constantFrom<Behaviour>(
  'answers',
  'throttled',
  'unavailable',
  'no-connection',
  'rejects',
  'never-accepts',
  'never-speaks',
  'ends-at-once',
  'breaks-off',
  'falls-silent',
);
const visit = fc.record({
  streamed: fc.boolean(),
  behaviours: fc.array(behaviour, { maxLength: 3 }),
  /** When the caller leaves, if ever. */
  leavesAfterMs: fc.option(fc.integer({ min: 0, max: 400 })),
  /** How many batches it reads. */
  reads: fc.integer({ min: 0, max: 5 }),
});

test('whatever models and callers do, everything is given back and every attempt is settled once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 8 }), async (visits) => {
      const stage = setGatewayStage({ gateway: { slotsPerTask: 2, inFlightPerTask: 5 } });
      const { gateway, clock, models } = stage;
      for (const { streamed, behaviours, leavesAfterMs, reads } of visits) {
        models.behaviours.push(...behaviours);
        const caller = new AbortController();
        const call = aCall({ signal: caller.signal });
        if (leavesAfterMs !== null) clock.after(leavesAfterMs, () => caller.abort());
        const visiting = streamed
          ? gateway.open(call).then((outcome) => readSome(outcome, reads))
          : gateway.complete(call);
        visiting.catch(() => undefined);
        await clock.advance(30);
      }
      await clock.advance(1_000_000);
      await settled();
      expectNothingHeld(stage);
    }),
    { numRuns: 150 },
  );
});

async function readSome(outcome: Outcome<StreamedAnswer>, reads: number): Promise<void> {
  if (outcome.kind === 'refused') return;
  const iterator = outcome.answer.events[Symbol.asyncIterator]();
  for (let n = 0; n < reads; n += 1) if ((await iterator.next()).done === true) return;
  await iterator.return?.();
}

test('a target whose answers break off again and again is no longer asked', async () => {
  const stage = setGatewayStage();
  for (let n = 0; n < 10; n += 1) {
    stage.models.behaviours.push('breaks-off');
    const answer = answerOf(await afterwards(stage, stage.gateway.open(aCall()), 150));
    await afterwards(
      stage,
      readAll(answer).catch(() => undefined),
      150,
    );
  }
  expect(stage.gateway.openBreakers()).toBe(1);
});
