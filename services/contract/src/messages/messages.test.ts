import fc from 'fast-check';
import { clientFrameSchema, isTerminal, serverFrameSchema } from './chat-frames';
import { fifoOf, orderTaskSchema, poolClaimSchema, workerCommandSchema } from './fleet-messages';
import { compareFrames, formatFrameId, parseFrameId } from './frame-id';
import { jobCommandSchema, jobPartitionKey } from './job-messages';

const COMMAND_ID = '0b0a4c5e-6f7d-4b8e-9a1c-2d3e4f5a6b7c';
const SECRET_ARN = 'arn:aws:secretsmanager:ap-northeast-1:123456789012:secret:broker/u1-AbCdEf';

const start = {
  action: 'start',
  commandId: COMMAND_ID,
  userId: 'u1',
  tenantId: 't1',
  version: 3,
  requestedAtMs: 1,
  credentialsArn: SECRET_ARN,
};

const order = {
  action: 'verify_fill',
  commandId: COMMAND_ID,
  userId: 'u1',
  tenantId: 't1',
  version: 1,
  requestedAtMs: 1,
  orderId: 'o9',
  epoch: 2,
  attempt: 1,
};

const claim = { commandId: COMMAND_ID, workerId: 'w1', userId: 'u1', epoch: 4 };

describe('fleet messages', () => {
  test('carry a command id, a version and an epoch', () => {
    expect(workerCommandSchema.parse(start)).toEqual(start);
    expect(orderTaskSchema.parse(order)).toEqual(order);
    expect(poolClaimSchema.parse(claim)).toEqual(claim);
  });

  test.each([
    ['worker command', workerCommandSchema, start],
    ['order task', orderTaskSchema, order],
    ['pool claim', poolClaimSchema, claim],
  ])('a %s with credentials in it is refused', (_, schema, message) => {
    expect(schema.safeParse({ ...message, credentials: { apiKey: 'k' } }).success).toBe(false);
  });

  test('a credential cannot travel where its reference belongs', () => {
    const command = { ...start, credentialsArn: 'api-key-in-plain-sight' };
    expect(workerCommandSchema.safeParse(command).success).toBe(false);
  });

  test('commands of a user, and tasks of an order, stay in order; repeats go by id, not by content', () => {
    expect(fifoOf(workerCommandSchema.parse(start))).toEqual({
      groupId: 'u1',
      deduplicationId: COMMAND_ID,
    });
    expect(fifoOf(orderTaskSchema.parse(order)).groupId).toBe('o9');
  });
});

describe('job commands', () => {
  const job = { commandId: COMMAND_ID, jobId: 'j1', organizationId: 'org', matchId: 'm1' };

  test.each([
    { ...job, type: 'submit', stages: ['detect'], parameters: { fps: 30 }, submittedAtMs: 1 },
    { ...job, type: 'cancel', reason: 'asked' },
    {
      ...job,
      type: 'stage_result',
      taskId: COMMAND_ID,
      stage: 'detect',
      attempt: 1,
      epoch: 2,
      outcome: { status: 'failed', message: 'no frames', retryable: false },
    },
  ])('$type is understood', (command) => {
    expect(jobCommandSchema.parse(command)).toEqual(command);
  });

  test('the key is organisation and match, and two matches never share one by craft', () => {
    expect(jobPartitionKey(job)).toBe('org:m1');
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        const first = jobPartitionKey({ organizationId: a, matchId: b });
        const second = jobPartitionKey({ organizationId: c, matchId: d });
        expect(first === second).toBe(a === c && b === d);
      }),
    );
  });
});

describe('chat frames', () => {
  test.each([
    { type: 'message', clientMessageId: 'c1', text: '新刊は?' },
    { type: 'cancel', messageId: 'm1' },
    { type: 'resume', lastId: '3:41' },
  ])('a client may send $type', (frame) => {
    expect(clientFrameSchema.parse(frame)).toEqual(frame);
  });

  test.each([
    { type: 'message', clientMessageId: 'c1', text: '' },
    { type: 'message', clientMessageId: '', text: 'x' },
    { type: 'resume', lastId: '3' },
    { type: 'eval', code: '1' },
  ])('a client may not send %j', (frame) => {
    expect(clientFrameSchema.safeParse(frame).success).toBe(false);
  });

  test.each([
    { type: 'message', id: '1:0', messageId: 'm', clientMessageId: 'c' },
    { type: 'delta', id: '1:1', messageId: 'm', text: '漫' },
    { type: 'sources', id: '1:2', messageId: 'm', sources: [{ titleId: 't', title: 'T' }] },
    {
      type: 'degraded',
      id: '1:3',
      messageId: 'm',
      parts: ['retrieval'],
      rung: 'small_model',
      reason: 'search is slow',
    },
    {
      type: 'usage',
      id: '1:4',
      messageId: 'm',
      model: 'x',
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      dollars: 0.001,
    },
    { type: 'done', id: '1:5', messageId: 'm', finish: 'stop', intent: 'faq' },
    { type: 'error', id: '1:6', code: 'answer_lost', message: 'gone' },
    { type: 'ping', id: '1:6' },
    { type: 'reconnect', id: '1:6', afterMs: 1_200, reason: 'drain' },
  ])('the server sends $type with its place', (frame) => {
    expect(serverFrameSchema.parse(frame)).toEqual(frame);
    expect(serverFrameSchema.safeParse({ ...frame, id: undefined }).success).toBe(false);
  });

  test('a source never carries a script for an address', () => {
    const frame = {
      type: 'sources',
      id: '1:2',
      messageId: 'm',
      sources: [{ titleId: 't', title: 'T', url: 'javascript:alert(1)' }],
    };
    expect(serverFrameSchema.safeParse(frame).success).toBe(false);
  });

  test('an answer ends with done or with its error; an error of the connection ends none', () => {
    const error = { id: '1:6', type: 'error', code: 'internal', message: '' } as const;
    expect(isTerminal({ ...error, messageId: 'm' })).toBe(true);
    expect(isTerminal({ ...error, clientMessageId: 'c' })).toBe(true);
    expect(isTerminal(error)).toBe(false);
  });

  test('a lost answer has ended, also where nobody knows its id any more', () => {
    const lost = { id: '1:6', type: 'error', code: 'answer_lost', message: '' } as const;
    expect(isTerminal(lost)).toBe(true);
  });
});

describe('frame ids', () => {
  const position = fc.record({ epoch: fc.nat(), seq: fc.nat() });

  test('survive being written and read', () => {
    fc.assert(
      fc.property(position, (it) => {
        expect(parseFrameId(formatFrameId(it))).toEqual(it);
      }),
    );
  });

  test.each(['', '1', '1:', ':1', '01:1', '-1:2', '1:2:3', '1:2 ', '9999999999999999:1'])(
    '%j is no place',
    (text) => {
      expect(parseFrameId(text)).toBeUndefined();
    },
  );

  test('a later epoch comes after every frame of an earlier one', () => {
    expect(compareFrames({ epoch: 1, seq: 900 }, { epoch: 2, seq: 0 })).toBeLessThan(0);
    expect(compareFrames({ epoch: 2, seq: 5 }, { epoch: 2, seq: 4 })).toBeGreaterThan(0);
  });
});
