import { DEGRADATIONS, FALLBACK_RUNGS } from '@matsuri/contract';
import { degradedReason, type Degraded } from './degraded-reason';

const nothingMissing: Degraded = { rung: 'full', parts: [], shifted: false };

test.each([
  ['a part could not be had', { parts: ['history', 'retrieval'] }, 'part_missing'],
  ['an answer kept for longer', { rung: 'longer_cache' }, 'high_demand'],
  ['a stream that is shared', { rung: 'coalesced' }, 'high_demand'],
  ['a shared stream, and a part missing', { rung: 'coalesced', parts: ['cache'] }, 'high_demand'],
  ['load shifted to the small model', { rung: 'small_model', shifted: true }, 'high_demand'],
  ['a caller who has the small model only', { rung: 'small_model' }, 'not_included'],
  ['a larger model that refused', { rung: 'small_model', parts: ['model'] }, 'model_unavailable'],
  ['a prepared answer by the flag', { rung: 'template' }, 'high_demand'],
  [
    'a prepared answer for want of a model',
    { rung: 'template', parts: ['model'] },
    'model_unavailable',
  ],
  ['no answer left', { rung: 'apology', parts: ['intent', 'model'] }, 'model_unavailable'],
  ['a limit of whoever asked', { rung: 'apology', parts: ['limits'] }, 'limit_reached'],
] as const)('%s: says why in one word of its own', (_, degraded, reason) => {
  expect(degradedReason({ ...nothingMissing, ...degraded })).toBe(reason);
});

test('no word of the inside gets out, whatever happened', () => {
  const words = new Set(
    FALLBACK_RUNGS.flatMap((rung) =>
      [[], ...DEGRADATIONS.map((part) => [part])].flatMap((parts) =>
        [true, false].map((shifted) => degradedReason({ rung, parts, shifted })),
      ),
    ),
  );
  expect([...words].sort()).toEqual([
    'high_demand',
    'limit_reached',
    'model_unavailable',
    'not_included',
    'part_missing',
  ]);
});
