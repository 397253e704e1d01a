import { connectionFate } from './connection-fate';
import type { ActiveToxic, Toxic } from './toxic';

const added = (addedAtMs: number, toxic: Toxic): ActiveToxic => ({ toxic, addedAtMs });

test.each<[string, readonly ActiveToxic[], object | undefined]>([
  ['lives without toxics', [], undefined],
  ['lives in a black hole without end', [added(500, { type: 'timeout' })], undefined],
  ['is reset at once', [added(500, { type: 'reset_peer' })], { atMs: 1_000, ending: 'reset' }],
  [
    'counts from the later of its opening and the toxic',
    [added(2_000, { type: 'reset_peer', afterMs: 10 })],
    { atMs: 2_010, ending: 'reset' },
  ],
  [
    'is closed in a black hole with an end',
    [added(500, { type: 'timeout', closeAfterMs: 5 })],
    { atMs: 1_005, ending: 'close' },
  ],
  [
    'meets the earliest end',
    [added(0, { type: 'reset_peer', afterMs: 50 }), added(0, { type: 'timeout', closeAfterMs: 5 })],
    { atMs: 1_005, ending: 'close' },
  ],
])('a connection opened at 1000 %s', (_, toxics, expected) => {
  expect(connectionFate(1_000, toxics)).toEqual(expected);
});
