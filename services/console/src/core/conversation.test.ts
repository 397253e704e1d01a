import type { ServerFrame } from '@matsuri/contract';
import fc from 'fast-check';

import {
  ask,
  askAgain,
  brokeOff,
  conversationSchema,
  NO_CONVERSATION,
  openTurn,
  stop,
} from './conversation';
import type { Conversation } from './conversation';
import { greeting, replies } from './outgoing';
import { receive, strands } from './receive';

const ASKED = ask(NO_CONVERSATION, { clientMessageId: 'c1', question: '新刊は？' });

const accepted = (epoch: number, messageId = 'm1'): ServerFrame => ({
  id: `${epoch}:0`,
  type: 'message',
  messageId,
  clientMessageId: 'c1',
});
const delta = (epoch: number, seq: number, text: string): ServerFrame => ({
  id: `${epoch}:${seq}`,
  type: 'delta',
  messageId: 'm1',
  text,
});
const done = (
  epoch: number,
  seq: number,
  finish: 'stop' | 'cancelled' | 'length' = 'stop',
): ServerFrame => ({
  id: `${epoch}:${seq}`,
  type: 'done',
  messageId: 'm1',
  finish,
  intent: 'faq',
});
const lost = (id: string): ServerFrame => ({
  id,
  type: 'error',
  code: 'answer_lost',
  message: 'lost',
});

const after = (frames: readonly ServerFrame[], from: Conversation = ASKED): Conversation =>
  frames.reduce(receive, from);
const answerOf = ({ turns }: Conversation) => turns.at(-1)?.answer;

test('an answer grows by its deltas and ends complete', () => {
  const heard = after([
    accepted(7),
    delta(7, 1, '『灯火'),
    delta(7, 2, 'の町』です。'),
    done(7, 3),
  ]);
  expect(answerOf(heard)).toMatchObject({ state: 'complete', text: '『灯火の町』です。' });
  expect(heard.lastId).toBe('7:3');
  expect(openTurn(heard)).toBeUndefined();
});

test('sources, degradation and cost are kept with their answer', () => {
  const heard = after([
    accepted(7),
    {
      id: '7:1',
      type: 'sources',
      messageId: 'm1',
      sources: [{ titleId: 't1', title: '灯火の町' }],
    },
    {
      id: '7:2',
      type: 'degraded',
      messageId: 'm1',
      parts: ['retrieval'],
      rung: 'small_model',
      reason: 'busy',
    },
    {
      id: '7:3',
      type: 'usage',
      messageId: 'm1',
      model: 'simple',
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      dollars: 0.01,
    },
    done(7, 4, 'length'),
  ]);
  expect(answerOf(heard)).toMatchObject({
    sources: [{ title: '灯火の町' }],
    degraded: { rung: 'small_model', parts: ['retrieval'] },
    usage: { model: 'simple', dollars: 0.01 },
    cutShort: 'length',
  });
  expect(answerOf(heard)?.degraded).not.toHaveProperty('reason');
});

test('however frames are repeated, the text is heard once', () => {
  const whole = [
    accepted(7),
    ...['一', '二', '三', '四', '五'].map((c, i) => delta(7, i + 1, c)),
    done(7, 6),
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length - 1), { maxLength: 40 }), (backTo) => {
      // Every reconnection plays the frames again from some earlier place.
      let heard = ASKED;
      for (const place of [...backTo, 0])
        heard = after(whole.slice(place), after(whole.slice(0, place), heard));
      expect(answerOf(heard)).toMatchObject({ state: 'complete', text: '一二三四五' });
    }),
  );
});

test('a frame out of its place is not taken, and the missing ones are fetched over another connection', () => {
  const before = after([accepted(7), delta(7, 1, 'あ')]);
  const early = delta(7, 3, 'う');
  const now = receive(before, early);
  expect(answerOf(now)?.text).toBe('あ');
  expect(strands({ before, after: now }, early)).toBe(true);
  expect(greeting(now, 'ja')).toEqual([{ type: 'resume', lastId: '7:1' }]);
});

test('a lost answer is asked for again under the same id, and what was shown is thrown away', () => {
  const before = after([accepted(7), delta(7, 1, '途中まで')]);
  const told = lost('7:1');
  const restarting = receive(before, told);
  expect(answerOf(restarting)).toMatchObject({ state: 'restarting', text: '途中まで' });
  expect(replies(restarting, told, 'ja')).toEqual([
    { type: 'message', clientMessageId: 'c1', text: '新刊は？', locale: 'ja' },
  ]);

  const anew = after([accepted(9, 'm1'), delta(9, 1, '全文'), done(9, 2)], restarting);
  expect(answerOf(anew)).toMatchObject({ state: 'complete', text: '全文', restarted: true });
});

test('what an old task still says after the restart is not heard', () => {
  const anew = after([
    accepted(7),
    delta(7, 1, '旧'),
    accepted(9),
    delta(7, 2, '旧'),
    delta(9, 1, '新'),
  ]);
  expect(answerOf(anew)?.text).toBe('新');
  expect(after([accepted(7)], anew)).toEqual(anew);
});

test('a message that was never accepted is simply sent again', () => {
  expect(greeting(ASKED, 'en')).toEqual([
    { type: 'message', clientMessageId: 'c1', text: '新刊は？', locale: 'en' },
  ]);
});

test('a new connection goes on after the last frame, and says nothing where nothing is open', () => {
  const midway = after([accepted(7), delta(7, 1, 'あ')]);
  expect(greeting(midway, 'ja')).toEqual([{ type: 'resume', lastId: '7:1' }]);
  expect(greeting(after([done(7, 2)], midway), 'ja')).toEqual([]);
});

test('a restart that was interrupted is asked for again, not resumed', () => {
  const restarting = after([accepted(7), delta(7, 1, 'あ'), lost('7:1')]);
  expect(greeting(restarting, 'ja')).toEqual([
    { type: 'message', clientMessageId: 'c1', text: '新刊は？', locale: 'ja' },
  ]);
});

test('an answer that ended early without its reader may be asked for again, a stopped one not', () => {
  const ended = after([accepted(7), delta(7, 1, 'あ'), done(7, 2, 'cancelled')]);
  expect(ended.turns.map(brokeOff)).toEqual([true]);
  const stopped = after([accepted(7), done(7, 1, 'cancelled')], stop(ASKED));
  expect(stopped.turns.map(brokeOff)).toEqual([false]);
});

test('stop is said as soon as the message has an id', () => {
  const stopped = stop(ASKED);
  const frame = accepted(7);
  const now = receive(stopped, frame);
  expect(replies(now, frame, 'ja')).toEqual([{ type: 'cancel', messageId: 'm1' }]);
  expect(answerOf(after([done(7, 1, 'cancelled')], now))?.state).toBe('cancelled');
});

test('a refusal names its message; asking again is a new one', () => {
  const refused = receive(ASKED, {
    id: '0:0',
    type: 'error',
    clientMessageId: 'c1',
    code: 'overloaded',
    message: 'busy',
  });
  expect(answerOf(refused)).toMatchObject({ state: 'failed', error: { code: 'overloaded' } });
  const [turn] = refused.turns;
  expect(turn && askAgain(refused, turn, 'c2').turns).toEqual([
    expect.objectContaining({ clientMessageId: 'c2', question: '新刊は？' }),
  ]);
});

test('no question is asked again beside one that is open', () => {
  const failed = receive(ASKED, {
    id: '0:0',
    type: 'error',
    clientMessageId: 'c1',
    code: 'unauthorised',
    message: '',
  });
  const open = ask(failed, { clientMessageId: 'c2', question: '在庫は？' });
  const [turn] = open.turns;
  expect(turn && askAgain(open, turn, 'c3')).toBe(open);
});

test('an error about no message leaves an open one stranded, and changes nothing else', () => {
  const midway = after([accepted(7), delta(7, 1, 'あ')]);
  const unnamed: ServerFrame = { id: '7:1', type: 'error', code: 'internal', message: '' };
  expect(receive(midway, unnamed)).toBe(midway);
  expect(strands({ before: midway, after: midway }, unnamed)).toBe(true);
  expect(strands({ before: NO_CONVERSATION, after: NO_CONVERSATION }, unnamed)).toBe(false);
  // One that is lost is asked for again where it is, and one that ended is over.
  expect(strands({ before: midway, after: midway }, lost('7:1'))).toBe(false);
  expect(strands({ before: midway, after: midway }, { ...unnamed, messageId: 'm1' })).toBe(false);
});

test('a message that could not even be read has failed: it would not be read the next time', () => {
  const unread: ServerFrame = { id: '0:0', type: 'error', code: 'invalid_frame', message: '' };
  expect(answerOf(receive(ASKED, unread))?.state).toBe('failed');
  const midway = after([accepted(7)]);
  expect(receive(midway, unread)).toBe(midway);
});

test('a frame leaves the turns it is not about as they are, so that they need not be drawn again', () => {
  const first = after([accepted(7), delta(7, 1, 'あ'), done(7, 2)]);
  const second = ask(first, { clientMessageId: 'c2', question: '在庫は？' });
  const heard = after(
    [
      { ...accepted(8, 'm2'), clientMessageId: 'c2' } as ServerFrame,
      { ...delta(8, 1, 'い'), messageId: 'm2' } as ServerFrame,
    ],
    second,
  );
  expect(answerOf(heard)?.text).toBe('い');
  expect(heard.turns[0]).toBe(first.turns[0]);
});

test('a ping is answered and changes nothing', () => {
  const ping: ServerFrame = { id: '7:1', type: 'ping' };
  expect(receive(ASKED, ping)).toBe(ASKED);
  expect(replies(ASKED, ping, 'ja')).toEqual([{ type: 'pong' }]);
});

test('a conversation survives being written down', () => {
  const midway = after([accepted(7), delta(7, 1, 'あ')]);
  expect(conversationSchema.parse(JSON.parse(JSON.stringify(midway)))).toEqual(midway);
});
