import { encodeEvent } from '../../wire/aws-rest-json-event-frame';
import type { GeneratedBlock } from './answer-blocks';
import type { Generation } from './generation';
import { signReasoning } from './reasoning-signature';

export type FrameKind = 'messageStart' | 'content' | 'blockStop' | 'messageStop' | 'metadata';

/** One event of an answer, encoded. */
export interface StreamFrame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
  readonly tokens: number;
}

// Bedrock pads events with letters so that their size does not give the token away.
const PADDING = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SHORTEST_PADDING = 4;

/** Encodes an event with its padding. */
export function eventFrame(eventType: string, event: object): Buffer {
  const json = JSON.stringify(event);
  const padding = PADDING.slice(0, SHORTEST_PADDING + (json.length % 16));
  const separator = json === '{}' ? '' : ',';
  return encodeEvent(eventType, Buffer.from(`${json.slice(0, -1)}${separator}"p":"${padding}"}`));
}

/** All events of an answer but its metadata, in order. */
export function answerFrames(generation: Generation): StreamFrame[] {
  const frames: StreamFrame[] = [MESSAGE_START];
  generation.blocks.forEach((block, index) => appendBlock(frames, block, index));
  frames.push(messageStop(generation));
  return frames;
}

const MESSAGE_START: StreamFrame = {
  kind: 'messageStart',
  bytes: eventFrame('messageStart', { role: 'assistant' }),
  tokens: 0,
};

function messageStop({ stopReason, stopSequence }: Generation): StreamFrame {
  const additional = stopSequence === undefined ? {} : additionalFields(stopSequence);
  return {
    kind: 'messageStop',
    bytes: eventFrame('messageStop', { stopReason, ...additional }),
    tokens: 0,
  };
}

function additionalFields(stopSequence: string): object {
  return { additionalModelResponseFields: { stop_sequence: stopSequence } };
}

function appendBlock(frames: StreamFrame[], block: GeneratedBlock, index: number): void {
  if (block.kind === 'toolUse') {
    const start = { toolUse: { toolUseId: block.toolUseId, name: block.name } };
    const bytes = eventFrame('contentBlockStart', { contentBlockIndex: index, start });
    frames.push({ kind: 'content', bytes, tokens: 0 });
  }
  for (const token of block.tokens) frames.push(tokenFrame(block.kind, index, token));
  if (block.kind === 'reasoning') {
    const signature = signReasoning(block.tokens.join(''));
    const delta = { reasoningContent: { signature } };
    const bytes = eventFrame('contentBlockDelta', { contentBlockIndex: index, delta });
    frames.push({ kind: 'content', bytes, tokens: 0 });
  }
  const bytes = eventFrame('contentBlockStop', { contentBlockIndex: index });
  frames.push({ kind: 'blockStop', bytes, tokens: 0 });
}

// Answers share most of their tokens: a frame is encoded once, not once per call.
const MOST_FRAMES_KEPT = 20_000;
const framesByToken = new Map<string, StreamFrame>();

function tokenFrame(kind: GeneratedBlock['kind'], index: number, token: string): StreamFrame {
  const key = `${kind}${index}${token}`;
  let frame = framesByToken.get(key);
  if (!frame) {
    const event = { contentBlockIndex: index, delta: deltaOf(kind, token) };
    frame = { kind: 'content', bytes: eventFrame('contentBlockDelta', event), tokens: 1 };
    if (framesByToken.size >= MOST_FRAMES_KEPT) framesByToken.clear();
    framesByToken.set(key, frame);
  }
  return frame;
}

function deltaOf(kind: GeneratedBlock['kind'], token: string): object {
  switch (kind) {
    case 'text':
      return { text: token };
    case 'reasoning':
      return { reasoningContent: { text: token } };
    case 'toolUse':
      return { toolUse: { input: token } };
  }
}
