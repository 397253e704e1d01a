import fc from 'fast-check';

import { splitLines } from './line-splitter';

test('a line is a line however it was chunked', () => {
  const lines = fc.array(
    fc.string({ minLength: 1 }).map((line) => line.replaceAll(/[\r\n]/g, '.')),
  );
  fc.assert(
    fc.property(lines, fc.array(fc.nat({ max: 40 })), (written, cuts) => {
      let text = written.map((line) => `${line}\n`).join('');
      const read: string[] = [];
      let rest = '';
      for (const length of [...cuts, Infinity]) {
        const split = splitLines(rest, text.slice(0, length), 1_000);
        text = text.slice(length);
        read.push(...split.lines);
        rest = split.rest;
      }
      expect([read, rest]).toEqual([written, '']);
    }),
  );
});

test('a line without an end is handed on in bounded parts', () => {
  expect(splitLines('', 'abcdefgh', 3)).toEqual({ lines: ['abc', 'def'], rest: 'gh' });
  expect(splitLines('gh', 'i\nj', 3)).toEqual({ lines: ['ghi'], rest: 'j' });
});

test('carriage returns and empty lines are dropped', () => {
  expect(splitLines('', 'a\r\n\n\r\nb\n', 10)).toEqual({ lines: ['a', 'b'], rest: '' });
});
