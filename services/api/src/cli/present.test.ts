import type { TokenBody } from '../wire/token-schemas';
import { presentTokens, presentUsage } from './present';

const TOKEN: TokenBody = {
  id: '7e3a1f0e-3b8a-4c4e-9d0a-0d1e2f3a4b5c',
  tenant_id: 'acme',
  user_id: 'alice',
  name: 'storefront',
  hint: 'mts_…abcd',
  status: 'active',
  allowed_models: null,
  requests_per_minute: null,
  tokens_per_minute: null,
  day_cap_usd: null,
  month_cap_usd: null,
  created_at: '2026-11-18T00:00:00.000Z',
  expires_at: null,
  revoked_at: null,
  overlap_until: null,
  predecessor_id: null,
};

const row = (key: string, attempts: number, cost_usd: string) => ({
  key,
  attempts,
  coalesced: 0,
  input_tokens: 1_000,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cost_usd,
  open_usd: '0.00',
});

test('a report of several rows ends with their exact sum', () => {
  const lines = presentUsage('day', [
    row('2026-11-17', 2, '0.10'),
    row('2026-11-18', 3, '1234567.200001'),
  ]).trimEnd();
  expect(lines.split('\n').at(-1)).toMatch(/^total +5 +0 +2,000 .* 1234567\.300001 /);
});

test('nothing is said in words', () => {
  expect(presentUsage('day', [])).toBe('No usage in this period.\n');
  expect(presentTokens([])).toBe('No tokens.\n');
});

test('a name cannot turn the terminal around', () => {
  expect(presentTokens([{ ...TOKEN, name: 'a\u202eb' }])).toContain('a\\u202eb');
});
