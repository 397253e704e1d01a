import { framesAfter, placeFrame } from './placed-frame';

const at = (seq: number, epoch = 5) =>
  placeFrame({ epoch, seq }, { type: 'delta', messageId: 'm', text: String(seq) });

test('a reader gets what it has not seen of its answer', () => {
  const frames = [at(0, 4), at(1), at(2), at(3), at(0, 6)];
  expect(framesAfter({ epoch: 5, seq: 1 }, frames)?.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(framesAfter({ epoch: 5, seq: 3 }, frames)).toEqual([]);
});

test('an answer with a hole in it is given to nobody', () => {
  expect(framesAfter({ epoch: 5, seq: 0 }, [at(2), at(3)])).toBeUndefined();
  expect(framesAfter({ epoch: 5, seq: 0 }, [at(1), at(3)])).toBeUndefined();
});

test('an error about the connection ends no answer; one about a message does', () => {
  const error = { type: 'error', code: 'busy', message: 'later' } as const;
  const place = { epoch: 0, seq: 0 };
  expect(placeFrame(place, error).terminal).toBe(false);
  expect(placeFrame(place, { ...error, messageId: 'm' }).terminal).toBe(true);
  expect(placeFrame(place, { ...error, clientMessageId: 'c' }).terminal).toBe(true);
});
