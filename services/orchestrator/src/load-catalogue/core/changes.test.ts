import fc from 'fast-check';
import { indexChanges, tableChanges } from './changes';

const record = (id: string, digest = 'a') => ({ id, digest });
const stored = (id: string, digest = 'a', shipped = true) => ({ id, digest, shipped });
const entry = (entryId: string, id: string, digest = 'a') => ({ entryId, id, digest });

describe('the table', () => {
  test('gets what is new and what has changed', () => {
    const changes = tableChanges(
      [record('one'), record('two', 'b'), record('three')],
      [stored('one'), stored('two')],
    );
    expect(changes).toEqual({ write: [record('two', 'b'), record('three')], removeIds: [] });
  });

  test('loses what no longer ships, but nothing of the shop’s own', () => {
    const changes = tableChanges([], [stored('one'), stored('two', 'a', false)]);
    expect(changes).toEqual({ write: [], removeIds: ['one'] });
  });
});

describe('the index', () => {
  test('is left alone when it says what the table says', () => {
    const changes = indexChanges([record('one')], [entry('x', 'one')]);
    expect(changes).toEqual({ add: [], removeEntryIds: [] });
  });

  test('gets a changed document anew, and loses the former one', () => {
    const changes = indexChanges([record('one', 'b')], [entry('x', 'one', 'a')]);
    expect(changes).toEqual({ add: [record('one', 'b')], removeEntryIds: ['x'] });
  });

  test('keeps one of two equal entries, as an interrupted load may have left them', () => {
    const changes = indexChanges([record('one')], [entry('x', 'one'), entry('y', 'one')]);
    expect(changes).toEqual({ add: [], removeEntryIds: ['y'] });
  });

  test('whatever it held, it holds each record once afterwards, and a second load changes nothing', () => {
    const id = fc.constantFrom('one', 'two', 'three');
    const digest = fc.constantFrom('a', 'b');
    const anyRecords = fc.uniqueArray(fc.record({ id, digest }), { selector: (it) => it.id });
    const anyEntries = fc.uniqueArray(fc.record({ entryId: fc.uuid(), id, digest }), {
      selector: ({ entryId }) => entryId,
    });
    fc.assert(
      fc.property(anyRecords, anyEntries, (records, indexed) => {
        const { add, removeEntryIds } = indexChanges(records, indexed);
        const after = [
          ...indexed.filter(({ entryId }) => !removeEntryIds.includes(entryId)),
          ...add.map((it, n) => ({ ...it, entryId: `new-${n}` })),
        ];
        const said = (them: readonly { id: string; digest: string }[]) =>
          them.map((it) => `${it.id} ${it.digest}`).toSorted();
        expect(said(after)).toEqual(said(records));
        expect(indexChanges(records, after)).toEqual({ add: [], removeEntryIds: [] });
      }),
    );
  });
});
