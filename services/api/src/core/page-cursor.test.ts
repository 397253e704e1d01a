import fc from 'fast-check';
import { CURSOR_PATTERN, decodeCursor, encodeCursor } from './page-cursor';

test('a position comes back as it was', () => {
  const position = fc.array(fc.stringMatching(/^[!-~]{1,128}$/), { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(position, (parts) => {
      const cursor = encodeCursor(parts);
      expect(cursor).toMatch(CURSOR_PATTERN);
      expect(decodeCursor(cursor)).toEqual(parts);
    }),
  );
});

test('any other text is no cursor', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{0,40}$/), (text) => {
      const position = decodeCursor(text);
      expect(position === undefined || encodeCursor(position).length > 0).toBe(true);
    }),
  );
  expect(decodeCursor(Buffer.from('{"a":1}').toString('base64url'))).toBeUndefined();
  expect(decodeCursor(Buffer.from('["a","b","c"]').toString('base64url'))).toBeUndefined();
});
