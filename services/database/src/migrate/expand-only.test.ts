import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from './migrate';

// While a new version rolls out the one before it still runs on the migrated tables: they may only grow.
const BREAKS_THE_VERSION_BEFORE = [
  /\bDROP\s+(?:TABLE|COLUMN|SCHEMA|TYPE|INDEX|CONSTRAINT|DEFAULT|NOT\s+NULL)\b/i,
  /\bRENAME\b/i,
  /\bTRUNCATE\b/i,
  /\bDELETE\s+FROM\b/i,
  /\bALTER\s+COLUMN\b[^;]*\b(?:TYPE|SET\s+NOT\s+NULL)\b/i,
  /\bADD\s+COLUMN\b(?:(?!\bDEFAULT\b)[^;])*\bNOT\s+NULL\b(?![^;]*\bDEFAULT\b)/i,
];

const breaks = (sql: string) => BREAKS_THE_VERSION_BEFORE.some((pattern) => pattern.test(sql));

const files = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith('.sql'));

test.each(files)('%s only adds', (file) => {
  expect(breaks(readFileSync(join(MIGRATIONS_FOLDER, file), 'utf8'))).toBe(false);
});

test('there are migrations to look at', () => {
  expect(files.length).toBeGreaterThan(0);
});

test.each([
  'DROP TABLE "api_tokens";',
  'ALTER TABLE "api_tokens" DROP COLUMN "name";',
  'ALTER TABLE "api_tokens" RENAME COLUMN "name" TO "label";',
  'ALTER TABLE "api_tokens" ALTER COLUMN "rpm" SET DATA TYPE bigint;',
  'ALTER TABLE "api_tokens" ALTER COLUMN "rpm" SET NOT NULL;',
  'ALTER TABLE "api_tokens" ADD COLUMN "label" text NOT NULL;',
  'DELETE FROM "usage_attempts";',
])('would notice %s', (sql) => {
  expect(breaks(sql)).toBe(true);
});

test.each([
  'ALTER TABLE "api_tokens" ADD COLUMN "label" text;',
  `ALTER TABLE "api_tokens" ADD COLUMN "label" text DEFAULT '' NOT NULL;`,
  `ALTER TYPE "attempt_status" ADD VALUE 'refunded';`,
])('allows %s', (sql) => {
  expect(breaks(sql)).toBe(false);
});
