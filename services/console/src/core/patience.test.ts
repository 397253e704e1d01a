import type { ServerFrame } from '@matsuri/contract';

import { ask, NO_CONVERSATION, openTurn, stop } from './conversation';
import type { Conversation } from './conversation';
import { heldBy, resendAfterMs } from './patience';
import { receive } from './receive';

const ASKED = ask(NO_CONVERSATION, { clientMessageId: 'c1', question: '新刊は？' });

const refused = (code: 'busy' | 'overloaded' | 'unauthorised', retryAfterMs = 1_000) =>
  ({
    id: '0:0',
    type: 'error',
    clientMessageId: 'c1',
    code,
    message: '',
    retryAfterMs,
  }) satisfies ServerFrame;
const ACCEPTED: ServerFrame = {
  id: '7:0',
  type: 'message',
  messageId: 'm1',
  clientMessageId: 'c1',
};
const answerOf = ({ turns }: Conversation) => turns.at(-1)?.answer;

test.each(['busy', 'overloaded'] as const)('a message refused as %s waits, openly', (code) => {
  const held = receive(ASKED, refused(code, 1_500));
  expect(answerOf(held)).toMatchObject({ state: 'waiting', held: { by: code, waitMs: 1_500 } });
  expect(openTurn(held)).toBeDefined();
});

test('what is taken at last waits for nothing any more', () => {
  const taken = receive(receive(ASKED, refused('busy')), ACCEPTED);
  expect(answerOf(taken)).toMatchObject({ state: 'answering' });
  expect(answerOf(taken)?.held).toBeUndefined();
});

test('a refusal that does not pass by itself is a failure at once', () => {
  expect(answerOf(receive(ASKED, refused('unauthorised')))?.state).toBe('failed');
  expect(heldBy({ code: 'overloaded' }, undefined)).toBeUndefined();
});

test.each([0, 1_000, 4_000])(
  'refused again and again, a message told to wait %d ms fails within half a minute and a few tries',
  (retryAfterMs) => {
    let conversation = ASKED;
    let waitedMs = 0;
    let tries = 0;
    for (;;) {
      conversation = receive(conversation, refused('busy', retryAfterMs));
      const held = answerOf(conversation)?.held;
      if (held === undefined) break;
      tries += 1;
      waitedMs += held.waitMs;
    }
    expect(answerOf(conversation)).toMatchObject({ state: 'failed', error: { code: 'busy' } });
    // An answer whose tab was closed is given up after 15 s.
    expect(waitedMs).toBeGreaterThan(16_000);
    expect(waitedMs).toBeLessThanOrEqual(30_000);
    expect(tries).toBeLessThan(16);
  },
);

test('one told to wait longer than anybody would is told of at once', () => {
  expect(answerOf(receive(ASKED, refused('overloaded', 60_000)))?.state).toBe('failed');
});

test('a crowd that was refused together does not come back together, nor too soon', () => {
  const held = { by: 'busy', waitMs: 1_000, waitedMs: 0 } as const;
  expect(resendAfterMs(held, 0)).toBe(1_000);
  expect(resendAfterMs(held, 0.999)).toBeGreaterThan(1_200);
});

test('stop ends the waiting, whatever is still on its way', () => {
  const stopped = stop(receive(ASKED, refused('busy')));
  expect(answerOf(stopped)).toMatchObject({ state: 'cancelled' });
  expect(answerOf(stopped)?.held).toBeUndefined();
  expect(receive(stopped, refused('busy'))).toBe(stopped);
});

test('a message that was stopped before it was refused does not wait', () => {
  expect(answerOf(receive(stop(ASKED), refused('busy')))?.state).toBe('cancelled');
});
