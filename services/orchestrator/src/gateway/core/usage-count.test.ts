import type { ModelEvent } from './model-event';
import { countEvents, newUsageCount, recordedUsage } from './usage-count';

const told = { inputTokens: 11, outputTokens: 22, cacheReadTokens: 3, cacheWriteTokens: 4 };
const words: ModelEvent[] = [
  { type: 'start' },
  { type: 'thinking', index: 0, text: 'hm' },
  { type: 'text', index: 1, text: 'a' },
  { type: 'text', index: 1, text: '' },
  { type: 'tool-start', index: 2, id: 'x', name: 'find' },
  { type: 'tool-input', index: 2, json: '{}' },
];

function recorded(events: readonly ModelEvent[]) {
  const count = newUsageCount();
  countEvents(count, events);
  return recordedUsage(count, 100);
}

test('an answer that ended is recorded as the model told', () => {
  const end: ModelEvent[] = [
    { type: 'stop', reason: 'end' },
    { type: 'usage', usage: told },
  ];
  expect(recorded([...words, ...end])).toEqual({ usage: told, estimated: false });
});

test.each([
  ['an abandoned answer', words],
  ['an answer whose usage never came', [...words, { type: 'stop', reason: 'end' }] as ModelEvent[]],
  ['figures told on the way', [...words, { type: 'usage', usage: told }] as ModelEvent[]],
])('%s: the estimated input and a token for each piece that came', (_, events) => {
  expect(recorded(events)).toMatchObject({
    usage: { inputTokens: 100, outputTokens: 3 },
    estimated: true,
  });
});
