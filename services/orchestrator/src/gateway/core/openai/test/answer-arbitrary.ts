import fc, { type Arbitrary } from 'fast-check';

import type { AnswerBlock, ModelAnswer, ModelEvent } from '../../model-event';
import { nastyText } from './request-arbitrary';

const tokens = fc.nat(100_000);

const block: Arbitrary<AnswerBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: nastyText }),
  fc.record({ type: fc.constant('thinking' as const), text: nastyText }),
  fc.record({
    type: fc.constant('tool-use' as const),
    id: fc.uuid(),
    name: fc.constantFrom('look_up', 'order'),
    inputJson: fc.oneof(fc.constant(''), fc.json()),
  }),
);

/** Answers of any content that end in any way. */
export const anyAnswer: Arbitrary<ModelAnswer> = fc.record({
  blocks: fc.array(block, { maxLength: 5 }),
  stopReason: fc.constantFrom('end', 'max-tokens', 'stop-sequence', 'tool-use', 'filtered'),
  usage: fc.record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
  }),
});

/** The events by which an answer would have been streamed, one character at a time. */
export function eventsOf({ blocks, stopReason, usage }: ModelAnswer): ModelEvent[] {
  return [
    { type: 'start' },
    ...blocks.flatMap(eventsOfBlock),
    { type: 'stop', reason: stopReason },
    { type: 'usage', usage },
  ];
}

function eventsOfBlock(block: AnswerBlock, index: number): ModelEvent[] {
  return [...openingOf(block, index), ...deltasOf(block, index), { type: 'block-stop', index }];
}

function openingOf(block: AnswerBlock, index: number): ModelEvent[] {
  if (block.type !== 'tool-use') return [];
  return [{ type: 'tool-start', index, id: block.id, name: block.name }];
}

function deltasOf(block: AnswerBlock, index: number): ModelEvent[] {
  switch (block.type) {
    case 'text':
      return Array.from(block.text).map((text) => ({ type: 'text', index, text }));
    case 'thinking':
      return Array.from(block.text).map((text) => ({ type: 'thinking', index, text }));
    case 'tool-use':
      return Array.from(block.inputJson).map((json) => ({ type: 'tool-input', index, json }));
  }
}

/** Cuts events into batches of some size, as a socket would. */
export const batches: Arbitrary<(events: readonly ModelEvent[]) => (readonly ModelEvent[])[]> = fc
  .integer({ min: 1, max: 40 })
  .map((size) => (events) => {
    const count = Math.ceil(events.length / size);
    return Array.from({ length: count }, (_, at) => events.slice(at * size, (at + 1) * size));
  });
