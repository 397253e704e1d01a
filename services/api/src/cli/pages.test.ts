import { firstRows } from './pages';

const ROWS = [1, 2, 3, 4, 5];

function listOf(rows: readonly number[]) {
  const asked: string[] = [];
  const fetchPage = ({ limit, cursor }: { limit: string; cursor: string | undefined }) => {
    asked.push(limit);
    const start = Number(cursor ?? 0);
    const end = start + Number(limit);
    return Promise.resolve({
      data: rows.slice(start, end),
      next_cursor: end < rows.length ? String(end) : null,
    });
  };
  return { asked, fetchPage };
}

test.each([
  ['everything', 9, ROWS, false, ['2', '2', '2']],
  ['exactly everything', 5, ROWS, false, ['2', '2', '1']],
  ['no more than asked', 3, [1, 2, 3], true, ['2', '1']],
])('follows pages to %s', async (_, count, rows, more, limits) => {
  const list = listOf(ROWS);
  expect(await firstRows(count, 2, list.fetchPage)).toEqual({ rows, more });
  expect(list.asked).toEqual(limits);
});

test('an empty list is one page', async () => {
  expect(await firstRows(9, 2, listOf([]).fetchPage)).toEqual({ rows: [], more: false });
});
