/** The page from which others write clients says what the contract says, and its examples are frames. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  clientFrameSchema,
  CLOSE_CODES,
  configure,
  DEGRADATIONS,
  FALLBACK_RUNGS,
  FRAME_ERRORS,
  INTENTS,
  MAX_MESSAGE_CHARACTERS,
  PATHS,
  serverFrameSchema,
} from '@matsuri/contract';

const page = readFileSync(join(__dirname, '../../docs/chat-protocol.md'), 'utf8');
const { sessions, timeouts, answering } = configure();

/** What stands after this mark, line by line. */
function said(mark: string): readonly unknown[] {
  const lines = page.split('\n').filter((line) => line.startsWith(mark));
  return lines.map((line): unknown => JSON.parse(line.slice(mark.length)));
}

/** The first cells of the table rows under a heading. */
function rowsUnder(heading: string): readonly string[] {
  const [, after = ''] = page.split(`\n${heading}\n`);
  const [section = ''] = after.split(/\n#/);
  return [...section.matchAll(/^\| `?(\w+)`? +\|/gm)].map(([, cell = '']) => cell);
}

const typesOf = ({ options }: typeof clientFrameSchema | typeof serverFrameSchema) =>
  options.map(({ shape }) => shape.type.value);

test.each([
  ['### From the client', clientFrameSchema],
  ['### From the server', serverFrameSchema],
] as const)('%s: every frame, with every field', (heading, schema) => {
  expect(rowsUnder(heading).slice(1).sort()).toEqual(typesOf(schema).sort());
  const [, after = ''] = page.split(`\n${heading}\n`);
  for (const { shape } of schema.options) {
    const row = after.split('\n').find((line) => line.startsWith(`| \`${shape.type.value}\``));
    const fields = Object.keys(shape).filter((field) => field !== 'type' && field !== 'id');
    for (const field of fields) expect(row).toContain(`\`${field}\``);
  }
});

test('every error, and no other', () => {
  expect(rowsUnder('### Errors').slice(1).sort()).toEqual([...FRAME_ERRORS].sort());
});

test('every close code', () => {
  const codes = rowsUnder('## When the connection closes').map(Number);
  expect(codes).toEqual(expect.arrayContaining(Object.values(CLOSE_CODES)));
});

test.each([...DEGRADATIONS, ...FALLBACK_RUNGS, ...INTENTS])('the word %s', (word) => {
  expect(page).toContain(`\`${word}\``);
});

test('what a client says in the examples are frames of clients', () => {
  const frames = said('→ ').map((frame) => clientFrameSchema.parse(frame));
  expect(new Set(frames.map(({ type }) => type))).toEqual(new Set(typesOf(clientFrameSchema)));
});

test('what the server says in the examples are frames of the server', () => {
  const frames = [...said('← '), ...said('data: ')].map((frame) => serverFrameSchema.parse(frame));
  expect(new Set(frames.map(({ type }) => type))).toEqual(new Set(typesOf(serverFrameSchema)));
});

const figure = (value: number) => value.toLocaleString('en-US');

test.each<readonly [string, string]>([
  ['paths', `POST ${PATHS.sessions}`],
  ['tickets', `"ticketExpiresInSeconds": ${sessions.ticketSeconds}`],
  ['turns', `the last ${answering.historyTurns} turns`],
  ['turns are kept', `for ${sessions.retentionDays} days`],
  ['text', `1–${figure(MAX_MESSAGE_CHARACTERS)} characters`],
  ['message size', `${figure(sessions.maxMessageBytes)} bytes`],
  ['fragments', `at most ${sessions.maxMessageFragments} fragments`],
  ['frame rate', `300 in ${sessions.pingSeconds} s`],
  ['pings', `the server pings every ${sessions.pingSeconds} s`],
  ['silence', `within ${2.5 * sessions.pingSeconds} s`],
  ['age', `${figure(sessions.maxConnectionSeconds)} s, give or take a tenth`],
  ['unread', `${figure(sessions.maxBufferedBytes)} bytes`],
  ['connections', `${figure(sessions.maxConnectionsPerTask)}, then \`503\``],
  ['retention', `read for ${sessions.frameRetentionSeconds} s`],
  ['resends', `for ${sessions.frameRetentionSeconds} s after it was accepted`],
  ['detached', `goes on for ${sessions.detachedSeconds} s without a reader`],
  ['heartbeat', `a silence of ${timeouts.heartbeatMs / 1_000} s`],
])('the figure of %s', (_, words) => {
  expect(page).toContain(words);
});
