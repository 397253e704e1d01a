import type { ServerFrame } from '@matsuri/contract';

import { Chat } from './chat';
import type { PastTurn } from './core/history';
import { remembered } from './memory';
import { Socket, standInBrowser } from './testing/stand-in-browser';
import type { StandInPage } from './testing/stand-in-browser';

let page: StandInPage;
let chat: Chat;
let past: PastTurn[];

beforeEach(async () => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0);
  page = standInBrowser();
  past = [];
  chat = new Chat({
    shop: {
      openSession: () => Promise.resolve({ id: 'session', ticket: 'first' }),
      ticketFor: () => Promise.resolve('another'),
      lastTurns: () => Promise.resolve(past),
    },
    locale: () => 'ja',
  });
  await jest.advanceTimersByTimeAsync(0);
  Socket.newest.open();
});

afterEach(() => {
  jest.clearAllTimers();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const turn = () => chat.state.conversation.turns.at(-1);
/** The ids of the messages that were sent over the newest connection. */
const asked = (): unknown[] =>
  Socket.newest.said.flatMap((said) => {
    const { type, clientMessageId } = said as { type: string; clientMessageId?: string };
    return type === 'message' ? [clientMessageId] : [];
  });

function refuse(code: 'busy' | 'overloaded', retryAfterMs = 1_000): void {
  const { clientMessageId = '' } = turn() ?? {};
  Socket.newest.hear({ type: 'error', code, message: '', clientMessageId, retryAfterMs });
}

function accept(): void {
  const { clientMessageId = '' } = turn() ?? {};
  Socket.newest.hear({ id: '7:0', type: 'message', messageId: 'm1', clientMessageId });
}

const delta = (seq: number, text: string): Partial<ServerFrame> => ({
  id: `7:${seq}`,
  type: 'delta',
  messageId: 'm1',
  text,
});

const done = (seq: number): Partial<ServerFrame> => ({
  id: `7:${seq}`,
  type: 'done',
  messageId: 'm1',
  finish: 'stop',
  intent: 'faq',
});

test('a message that there was no room for is sent again by itself, under the same id', async () => {
  chat.ask('新刊は？');
  const id = turn()?.clientMessageId;
  refuse('overloaded', 1_500);
  await jest.advanceTimersByTimeAsync(1_400);
  expect(asked()).toEqual([id]);
  await jest.advanceTimersByTimeAsync(200);
  expect(asked()).toEqual([id, id]);
  accept();
  await jest.advanceTimersByTimeAsync(30_000);
  expect(asked()).toEqual([id, id]);
});

test('what another tab was answered meanwhile is fetched', async () => {
  chat.ask('新刊は？');
  refuse('busy');
  await jest.advanceTimersByTimeAsync(1_000);
  accept();
  // Saved a moment after its end, which is what let this one in.
  past = [{ messageId: 'm0', question: '在庫は？', answer: 'あります。' }];
  Socket.newest.hear(done(1));
  await jest.advanceTimersByTimeAsync(0);
  expect(chat.state.conversation.turns.map(({ question }) => question)).toEqual([
    '在庫は？',
    '新刊は？',
  ]);
});

test.each([
  ['stop', () => chat.stop()],
  ['a new conversation', () => chat.startAnew()],
])('%s ends the waiting', async (_, end) => {
  chat.ask('新刊は？');
  refuse('busy');
  const { newest } = Socket;
  end();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(newest.said).toHaveLength(1);
  expect(asked()).toHaveLength(Socket.newest === newest ? 1 : 0);
});

test('an error about no message, while one is open, is left for a connection that goes on', async () => {
  chat.ask('新刊は？');
  accept();
  const first = Socket.newest;
  first.hear({ id: '7:0', type: 'error', code: 'internal', message: '', retryAfterMs: 2_000 });
  expect(first.readyState).toBe(3);
  await jest.advanceTimersByTimeAsync(1_900);
  expect(Socket.newest).toBe(first);
  await jest.advanceTimersByTimeAsync(200);
  Socket.newest.open();
  expect(Socket.newest.said).toEqual([{ type: 'resume', lastId: '7:0' }]);
});

test('while an answer grows it is written down now and then, text and place together', async () => {
  const write = jest.spyOn(sessionStorage, 'setItem');
  chat.ask('新刊は？');
  accept();
  write.mockClear();
  for (let seq = 1; seq <= 100; seq += 1) {
    Socket.newest.hear(delta(seq, '字'));
    await jest.advanceTimersByTimeAsync(10);
    const { turns, lastId } = remembered().conversation;
    expect(lastId).toBe(`7:${turns[0]?.answer.text.length ?? 0}`);
  }
  expect(write.mock.calls.length).toBeLessThanOrEqual(4);
  expect(write.mock.calls.length).toBeGreaterThanOrEqual(3);
});

test.each([
  [
    'the page goes',
    () => {
      page.dispatchEvent(new Event('pagehide'));
    },
  ],
  [
    'the page is hidden',
    () => {
      page.visibilityState = 'hidden';
      page.dispatchEvent(new Event('visibilitychange'));
    },
  ],
  [
    'the answer ends',
    () => {
      Socket.newest.hear(done(2));
    },
  ],
])('all of it is written down when %s', (_, happens) => {
  chat.ask('新刊は？');
  accept();
  Socket.newest.hear(delta(1, '全文'));
  expect(remembered().conversation.turns[0]?.answer.text).toBe('');
  happens();
  expect(remembered().conversation).toEqual(chat.state.conversation);
});
