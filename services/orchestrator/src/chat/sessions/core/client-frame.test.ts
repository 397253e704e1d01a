import { readClientFrame } from './client-frame';

const read = (frame: unknown) => readClientFrame(JSON.stringify(frame));
const message = { type: 'message', clientMessageId: 'm1', text: 'hello' };

test('a frame is read', () => {
  expect(read(message)).toEqual({ kind: 'frame', frame: message });
});

test('a text that is too long is refused by the id of its message', () => {
  const longest = { ...message, text: '漫'.repeat(16_000) };
  expect(read(longest)).toEqual({ kind: 'frame', frame: longest });
  expect(read({ ...message, text: 'x'.repeat(16_001) })).toMatchObject({
    code: 'message_too_long',
    clientMessageId: 'm1',
  });
});

test.each([
  ['a locale we do not speak', { ...message, locale: 'fr' }],
  ['no text', { ...message, text: '' }],
  ['a text that is no text', { ...message, text: 7 }],
])('a message with %s is refused by its id', (_, frame) => {
  expect(read(frame)).toMatchObject({ code: 'invalid_frame', clientMessageId: 'm1' });
});

test.each([
  ['no JSON', '{"type":'],
  ['an id that is none', '{"type":"message","clientMessageId":"a b","text":"hello"}'],
  ['an id that is too long', JSON.stringify({ ...message, clientMessageId: 'x'.repeat(129) })],
  ['a type nobody knows', '{"type":"shutdown","clientMessageId":"m1"}'],
  ['null', 'null'],
])('%s is refused without an id', (_, text) => {
  const unreadable = readClientFrame(text);
  expect(unreadable).toMatchObject({ code: 'invalid_frame' });
  expect(unreadable).not.toHaveProperty('clientMessageId');
});
