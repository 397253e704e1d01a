import { renderNumber, renderTable } from './render-table';

test('texts stand to the left, numbers to the right', () => {
  const rows = [
    { model: 'sonnet', requests: 12_345, 'p99 ms': 41.237 },
    { model: 'ワンピース', requests: 7, 'p99 ms': 0.5 },
  ];
  expect(renderTable(rows)).toBe(
    [
      'model       requests  p99 ms',
      '──────────  ────────  ──────',
      'sonnet        12,345    41.2',
      'ワンピース         7     0.5',
      '',
    ].join('\n'),
  );
});

test('a missing cell stays empty and no rows make no table', () => {
  expect(renderTable([{ a: 1, b: 'x' }, { a: 2 }])).toContain('2\n');
  expect(renderTable([])).toBe('');
});

test.each([
  [1_234_567, '1,234,567'],
  [1234.5, '1,235'],
  [0.012345, '0.0123'],
  [-2.5, '-2.5'],
  [Number.NaN, '–'],
])('%d is written %s', (value, text) => {
  expect(renderNumber(value)).toBe(text);
});
