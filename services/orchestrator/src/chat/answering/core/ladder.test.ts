import { FALLBACK_RUNGS } from '@matsuri/contract';
import type { GatewayRefusal } from '../../../gateway/core/gateway-refusal';
import { LADDER, lowerRung, openRungs, signalOf, type LadderSignal } from './ladder';

test('the ladder has the rungs of the contract, in their order, each with a way in and out', () => {
  expect(LADDER.map(({ rung }) => rung)).toEqual([...FALLBACK_RUNGS]);
  for (const { rung, enteredBy, leftWhen } of LADDER) {
    expect(enteredBy.length > 0).toBe(rung !== 'full');
    expect(leftWhen).not.toBe('');
  }
});

test.each<[readonly LadderSignal[], readonly string[]]>([
  [[], ['full']],
  [['extend_cache'], ['full', 'longer_cache']],
  [['coalesce'], ['full', 'coalesced']],
  [['shift_to_simple'], ['full', 'small_model']],
  [['larger-model-refused'], ['full', 'small_model']],
  [['templates'], ['full', 'template']],
  [['models-refused'], ['full', 'cached_answer', 'template', 'apology']],
  [
    ['coalesce', 'extend_cache', 'models-refused'],
    ['full', 'longer_cache', 'coalesced', 'cached_answer', 'template', 'apology'],
  ],
])('%j opens %j', (signals, rungs) => {
  expect(openRungs(new Set(signals))).toEqual(rungs);
});

test('a rung closes with its last signal', () => {
  const both = new Set<LadderSignal>(['shift_to_simple', 'larger-model-refused']);
  both.delete('shift_to_simple');
  expect(openRungs(both)).toContain('small_model');
  both.delete('larger-model-refused');
  expect(openRungs(both)).toEqual(['full']);
});

test('of two rungs the lower one counts', () => {
  expect(lowerRung('full', 'small_model')).toBe('small_model');
  expect(lowerRung('template', 'coalesced')).toBe('template');
});

const THROTTLED: GatewayRefusal = { reason: 'upstream-throttled', subject: 'x', waitMs: 1 };

test('what one model refuses another may answer; a full task answers with none', () => {
  expect(signalOf(THROTTLED, 'complex')).toBe('larger-model-refused');
  expect(signalOf(THROTTLED, 'simple')).toBe('models-refused');
  const full: GatewayRefusal = { reason: 'overloaded', subject: 'this service', waitMs: 1 };
  expect(signalOf(full, 'complex')).toBe('models-refused');
});
