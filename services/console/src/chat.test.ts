import { Chat } from './chat';
import type { PastTurn } from './core/history';
import { Socket, standInBrowser } from './testing/stand-in-browser';

let chat: Chat;
let past: PastTurn[];

beforeEach(async () => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0);
  standInBrowser();
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
  past = [{ messageId: 'm0', question: '在庫は？', answer: 'あります。' }];
  accept();
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
