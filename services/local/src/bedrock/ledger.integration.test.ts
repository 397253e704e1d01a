import { ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';

import type { InvocationEvent } from './invocation-event';
import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import { eventually } from './test/eventually';
import {
  HAIKU,
  PROTOCOLS,
  question,
  receive,
  receiveUntilEnd,
  sdkClient,
} from './test/sdk-clients';

const QUICK = { firstTokenMs: 20, tokensPerSecond: 500 };
/** Slow enough that a caller can leave midway, however busy the machine. */
const LEISURELY = { firstTokenMs: 500, tokensPerSecond: 50 };

const events: InvocationEvent[] = [];
let standIn: BedrockStandIn;
beforeAll(async () => {
  standIn = await startBedrockStandIn({
    pacing: QUICK,
    answerTokens: 40,
    onInvocation: (event) => events.push(event),
  });
});
beforeEach(() => {
  standIn.reset();
  standIn.pace(QUICK);
  events.length = 0;
});
afterAll(() => standIn.close());

const settled = () =>
  eventually(
    () => standIn.ledger(),
    (entries) => entries.length > 0 && entries.every(({ outcome }) => outcome !== 'running'),
  );

describe.each(PROTOCOLS)('over %s', (protocol) => {
  test('a caller who leaves midway got no more than was written, which is no more than was emitted', async () => {
    standIn.pace(LEISURELY);
    standIn.script({ script: { tokens: 400 } });
    const leave = new AbortController();
    const received = await receiveUntilEnd(sdkClient(standIn.url, { protocol }), question('hi'), {
      abortSignal: leave.signal,
      onEvent: (count) => count === 10 && leave.abort(),
    });
    const [entry] = await settled();

    expect(entry).toMatchObject({ outcome: 'aborted', status: 200 });
    expect(entry?.peerClosedAtMs).toBeDefined();
    expect(entry?.usageSent).toBeUndefined();
    expect(received.textDeltas).toBeGreaterThan(0);
    expect(received.textDeltas).toBeLessThanOrEqual(entry?.tokensWritten ?? 0);
    expect(entry?.tokensWritten).toBeLessThanOrEqual(entry?.tokensEmitted ?? 0);
    expect(entry?.tokensEmitted).toBeLessThan(400);
    expect(entry?.text.startsWith(received.text)).toBe(true);
  });

  test('a caller who leaves before the first token costs its input alone', async () => {
    standIn.pace({ firstTokenMs: 60_000, tokensPerSecond: 50 });
    const leave = new AbortController();
    const received = receiveUntilEnd(sdkClient(standIn.url, { protocol }), question('hi'), {
      abortSignal: leave.signal,
    });
    await eventually(
      () => standIn.ledger().length,
      (calls) => calls === 1,
    );
    leave.abort();
    await received;
    const [entry] = await settled();
    expect(entry).toMatchObject({ outcome: 'aborted', tokensEmitted: 0, tokensWritten: 0 });
    expect(events).toMatchObject([{ inputTokens: 5, outputTokens: 0, quotaTokens: 5 }]);
  });

  test('overlap is the most calls held at once, and returns to none', async () => {
    standIn.pace({ firstTokenMs: 500, tokensPerSecond: 500 });
    const client = sdkClient(standIn.url, { protocol });
    await Promise.all(Array.from({ length: 7 }, () => receive(client, question('hi'))));

    expect(standIn.overlap()).toEqual({ running: 0, peak: 7 });
    expect(standIn.overlapByTarget()).toEqual({
      [`${HAIKU}|ap-northeast-1`]: { running: 0, peak: 7 },
    });
  });
});

test('a reader who stops reading stops the model from emitting', async () => {
  standIn.script({ script: { tokens: 60_000 } });
  standIn.pace('instant');
  const leave = new AbortController();
  const { stream } = await sdkClient(standIn.url).send(
    new ConverseStreamCommand({ ...question('hi'), inferenceConfig: { maxTokens: 60_000 } }),
    { abortSignal: leave.signal },
  );
  expect(stream).toBeDefined();
  let last = -1;
  const [entry] = await eventually(
    () => standIn.ledger(),
    ([found]) => {
      const still = found?.tokensEmitted === last && last > 0;
      last = found?.tokensEmitted ?? -1;
      return still;
    },
  );
  expect(entry?.tokensEmitted).toBeLessThan(60_000);
  leave.abort();
  expect(await settled()).toMatchObject([{ outcome: 'aborted' }]);
});

test('neither the first token nor the last comes sooner than the pacing says', async () => {
  await receive(sdkClient(standIn.url), question('hi'));
  const [entry] = await settled();
  const since = (atMs?: number) => (atMs ?? 0) - (entry?.startedAtMs ?? 0);

  // Tokens have due times counted from the start: a stalled process catches up, so gaps prove nothing.
  expect(since(entry?.firstTokenAtMs)).toBeGreaterThanOrEqual(20);
  expect(since(entry?.endedAtMs)).toBeGreaterThanOrEqual(20 + (39 * 1_000) / 500 - 5);
});

test('every call that is over is told in the terms of the metrics of AWS', async () => {
  await receive(sdkClient(standIn.url), question('hi'));
  standIn.script({ script: { name: 'throttle' } });
  await receiveUntilEnd(sdkClient(standIn.url), question('hi'));
  standIn.script({ script: { name: 'internal-error' } });
  await receiveUntilEnd(sdkClient(standIn.url), question('hi'));

  expect(events.map(({ kind }) => kind)).toEqual(['success', 'throttle', 'server-error']);
  expect(events[0]).toMatchObject({
    modelId: HAIKU,
    region: 'ap-northeast-1',
    inputTokens: 5,
    outputTokens: 40,
    quotaTokens: 5 + 40 * 5,
  });
  expect(events[0]?.timeToFirstTokenMs).toBeGreaterThanOrEqual(20);
});
