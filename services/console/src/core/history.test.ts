import { ask, NO_CONVERSATION } from './conversation';
import type { Conversation } from './conversation';
import { withHistory } from './history';
import { receive } from './receive';
import type { PastTurn } from './history';

const past = (...ids: string[]): PastTurn[] =>
  ids.map((id) => ({ messageId: id, question: `question ${id}`, answer: `answer ${id}` }));
const shown = ({ turns }: Conversation): string[] => turns.map(({ question }) => question);

test('a new tab shows the last turns as they were answered', () => {
  const { turns } = withHistory(NO_CONVERSATION, past('a', 'b'));
  expect(turns).toMatchObject([
    { question: 'question a', answer: { state: 'complete', text: 'answer a', messageId: 'a' } },
    { question: 'question b', answer: { state: 'complete', text: 'answer b', messageId: 'b' } },
  ]);
});

test('a tab that knows all of them stays as it is', () => {
  const known = withHistory(NO_CONVERSATION, past('a', 'b'));
  expect(withHistory(known, past('a', 'b'))).toBe(known);
});

test('what another tab went on with comes where it belongs', () => {
  const known = withHistory(NO_CONVERSATION, past('b', 'd'));
  expect(shown(withHistory(known, past('a', 'b', 'c', 'd', 'e')))).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((id) => `question ${id}`),
  );
});

test('turns older than the server tells of stay ahead', () => {
  const known = withHistory(NO_CONVERSATION, past('a', 'b'));
  expect(shown(withHistory(known, past('b', 'c')))).toEqual([
    'question a',
    'question b',
    'question c',
  ]);
  expect(shown(withHistory(known, past('y', 'z')))).toEqual([
    'question a',
    'question b',
    'question y',
    'question z',
  ]);
});

test('an answer that was recalled is not shown twice when its question is sent again', () => {
  const asked = ask(NO_CONVERSATION, { clientMessageId: 'm1', question: 'question a' });
  const both = withHistory(asked, past('a'));
  const accepted = receive(both, {
    type: 'message',
    id: '5:0',
    messageId: 'a',
    clientMessageId: 'm1',
  });
  expect(shown(accepted)).toEqual(['question a']);
});

test('a question asked while they were fetched stays the last', () => {
  const asked = ask(NO_CONVERSATION, { clientMessageId: 'm1', question: 'new' });
  expect(shown(withHistory(asked, past('a')))).toEqual(['question a', 'new']);
});

test('what a turn had to wait for comes before it, also when it has been answered itself', () => {
  const asked = ask(NO_CONVERSATION, { clientMessageId: 'm1', question: 'waited' });
  const [turn] = asked.turns;
  const answered = [
    { type: 'message', id: '5:0', messageId: 'b', clientMessageId: 'm1' },
    { type: 'done', id: '5:1', messageId: 'b', finish: 'stop', intent: 'faq' },
  ] as const;
  const both = withHistory(answered.reduce(receive, asked), past('a'), turn);
  expect(shown(both)).toEqual(['question a', 'waited']);
});
