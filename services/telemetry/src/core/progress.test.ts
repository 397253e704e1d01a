import { isWorthShowing, progressBar, progressLine } from './progress';

const at = (done: number, elapsedMs = 10_000, total = 200) => ({
  done,
  total,
  label: 'requests',
  elapsedMs,
});

test('a bar fills with the work and says what remains', () => {
  expect(progressBar(at(50))).toBe('██████░░░░░░░░░░░░░░░░░░ 25 % (50/200) requests, 30 s left');
  expect(progressBar(at(200))).toBe(`${'█'.repeat(24)} 100 % (200/200) requests`);
});

test.each([
  ['nothing done', at(0), '0 % (0/200) requests'],
  ['more than all', at(300), '100 % (300/200) requests'],
  ['nothing to do', at(0, 0, 0), '100 % (0/0) requests'],
])('%s', (_, progress, line) => {
  expect(progressLine(progress)).toBe(line);
});

test('a terminal is told often, a log seldom, and both of the end', () => {
  expect(isWorthShowing(at(1, 60), 0, true)).toBe(true);
  expect(isWorthShowing(at(1, 60), 0, false)).toBe(false);
  expect(isWorthShowing(at(1, 5_000), 0, false)).toBe(true);
  expect(isWorthShowing(at(200, 1), 0, false)).toBe(true);
});
