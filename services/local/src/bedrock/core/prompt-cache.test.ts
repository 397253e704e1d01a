import { consultPromptCache } from './prompt-cache';
import type { PromptCacheState, PromptPrefix } from './prompt-cache';

const MINUTE_MS = 60_000;
const empty: PromptCacheState = new Map();
function consult(state: PromptCacheState, prefixes: PromptPrefix[], nowMs = 0, scope = 'tokyo') {
  const input = consultPromptCache({ state, scope, minTokens: 1_000, nowMs }, prefixes);
  return { ...input, state: new Map([...state, ...input.changed]) };
}

const system: PromptPrefix = { hash: 'system', tokens: 2_000, cachePoint: '5m' };
const turn: PromptPrefix = { hash: 'system+turn', tokens: 2_400, cachePoint: '5m' };

test('the first call writes the prefix, the second reads it', () => {
  const first = consult(empty, [system]);
  const second = consult(first.state, [system], MINUTE_MS);

  expect(first).toMatchObject({ readTokens: 0, writeTokens: 2_000 });
  expect(second).toMatchObject({ readTokens: 2_000, writeTokens: 0 });
});

test('a longer conversation reads what is there and writes only what is new', () => {
  const first = consult(empty, [system]);
  expect(consult(first.state, [system, turn])).toMatchObject({
    readTokens: 2_000,
    writeTokens: 400,
  });
});

test('a prefix stored earlier is found from a later cache point even without its own', () => {
  const first = consult(empty, [system]);
  const { hash, tokens } = system;
  expect(consult(first.state, [{ hash, tokens }, turn])).toMatchObject({ readTokens: 2_000 });
});

test('a prefix too far back is not looked for', () => {
  const first = consult(empty, [system]);
  const between = Array.from({ length: 20 }, (_, n) => ({ hash: `block ${n}`, tokens: 2_100 + n }));
  const { hash, tokens } = system;
  expect(consult(first.state, [{ hash, tokens }, ...between, turn])).toMatchObject({
    readTokens: 0,
  });
});

test('what is shorter than the minimum is not cached', () => {
  const short: PromptPrefix = { hash: 'short', tokens: 999, cachePoint: '5m' };
  const first = consult(empty, [short]);
  expect(first).toMatchObject({ readTokens: 0, writeTokens: 0 });
  expect(consult(first.state, [short])).toMatchObject({ readTokens: 0, writeTokens: 0 });
});

test('five minutes without a read end an entry, a read prolongs it, an hour is an hour', () => {
  const first = consult(empty, [system]);
  const read = consult(first.state, [system], 4 * MINUTE_MS);
  expect(consult(read.state, [system], 8 * MINUTE_MS).readTokens).toBe(2_000);
  expect(consult(first.state, [system], 5 * MINUTE_MS).readTokens).toBe(0);

  const long = consult(empty, [{ ...system, cachePoint: '1h' }]);
  expect(long.written).toEqual([{ ttl: '1h', inputTokens: 2_000 }]);
  expect(consult(long.state, [system], 59 * MINUTE_MS).readTokens).toBe(2_000);
});

test('another region does not know the prefix', () => {
  const first = consult(empty, [system]);
  expect(consult(first.state, [system], 0, 'osaka').readTokens).toBe(0);
});
