import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isReachableByEveryone } from './run-folder';

const outer = mkdtempSync(join(tmpdir(), 'reachable-'));
const inner = join(outer, 'inner');
mkdirSync(inner, { mode: 0o755 });
afterAll(() => rmSync(outer, { recursive: true }));

test('an open folder inside a private one is not reachable by everyone', () => {
  chmodSync(outer, 0o700);
  expect(isReachableByEveryone(inner)).toBe(false);
});

test('a folder that may be passed through suffices', () => {
  chmodSync(outer, 0o711);
  expect(isReachableByEveryone(inner)).toBe(true);
});
