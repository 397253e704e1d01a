import { encodeException } from '../../wire/aws-rest-json-event-frame';
import {
  firstHalf,
  invalidUtf8Delta,
  malformedJsonDelta,
  withHeaderOverrun,
  withHugeLength,
  withWrongMessageCrc,
  withWrongPreludeCrc,
} from './damaged-frames';
import type { Ending, Step } from './reply';
import { dripped } from './slow-steps';
import { streamErrorOf } from './script-errors';
import type { Script, ScriptName } from './scripts';
import type { FrameKind } from './stream-frames';
import { eventFrame } from './stream-frames';

/** One event of an answer, encoded and dated. */
export interface TimedFrame extends Step {
  readonly kind: FrameKind;
}

export interface ScriptedStream {
  readonly steps: Iterable<Step>;
  readonly ending: Ending;
  readonly outcome: 'finished' | 'broken';
}

/** Puts a script upon a good answer: what is really sent, and how it ends. */
export function scriptStream(frames: readonly TimedFrame[], script: Script): ScriptedStream {
  return TREATMENTS[script.name]?.(frames, script) ?? finished(frames);
}

type Treatment = (frames: readonly TimedFrame[], script: Script) => ScriptedStream;

const damagedBy =
  (damage: (frame: Buffer) => Buffer): Treatment =>
  (frames, script) =>
    brokenAt(frames, script, damage);

/** What scripts do to a stream; those not named here leave a good one alone. */
const TREATMENTS: Partial<Record<ScriptName, Treatment>> = {
  'hang-before-headers': () => ({ steps: [], ending: 'hang', outcome: 'broken' }),
  'reset-before-headers': () => ({ steps: [], ending: 'reset', outcome: 'broken' }),
  'empty-stream': () => broken([]),
  'hang-after-metadata': (frames) => ({
    steps: frames.slice(0, 1),
    ending: 'hang',
    outcome: 'broken',
  }),
  'trickle-metadata': (frames, { everyMs }) => ({
    steps: trickle(frames, everyMs),
    ending: 'hang',
    outcome: 'broken',
  }),
  'slow-loris': (frames, { bytesPerSecond }) => finished(dripped(frames, bytesPerSecond)),
  'thinking-pause': (frames, { pauseMs }) =>
    finished(frames.map((frame) => (isStart(frame) ? frame : later(frame, pauseMs)))),
  'wrong-prelude-crc': damagedBy(withWrongPreludeCrc),
  'wrong-message-crc': damagedBy(withWrongMessageCrc),
  'truncated-frame': damagedBy(firstHalf),
  'frame-length-2-31': damagedBy(withHugeLength),
  'header-overrun': damagedBy(withHeaderOverrun),
  'malformed-json': damagedBy(malformedJsonDelta),
  'reset-mid-frame': (frames, script) => ({
    ...brokenAt(frames, script, firstHalf),
    ending: 'reset',
  }),
  'stream-model-error': withException,
  'stream-throttling': withException,
  'stream-internal-error': withException,
  'stream-service-unavailable': withException,
  'stream-validation': withException,
  'unknown-event': (frames, script) => finished(inserted(frames, script, unknownEvent())),
  'invalid-utf8': (frames, script) => finished(replacedAt(frames, script, invalidUtf8Delta())),
  'duplicate-message-stop': (frames) =>
    finished(frames.flatMap((frame) => (frame.kind === 'messageStop' ? [frame, frame] : [frame]))),
  'no-metadata': (frames) => finished(frames.filter(({ kind }) => kind !== 'metadata')),
};

function finished(steps: Iterable<Step>): ScriptedStream {
  return { steps, ending: 'end', outcome: 'finished' };
}

function broken(steps: Iterable<Step>): ScriptedStream {
  return { steps, ending: 'end', outcome: 'broken' };
}

function isStart({ kind }: TimedFrame): boolean {
  return kind === 'messageStart';
}

function later(frame: TimedFrame, byMs: number): TimedFrame {
  return { ...frame, atMs: frame.atMs + byMs };
}

/** Where things go wrong: behind so many tokens, or at the end of a shorter answer's content. */
function positionAfter(frames: readonly TimedFrame[], { afterTokens }: Script): number {
  let seen = 0;
  const at = frames.findIndex(({ kind, tokens }) => {
    const due = kind !== 'messageStart' && seen >= afterTokens;
    seen += tokens;
    return due;
  });
  const end = frames.findIndex(({ kind }) => kind === 'messageStop');
  return at < 0 ? end : Math.min(at, end);
}

/** The answer up to a frame that is damaged, and nothing behind it. */
function brokenAt(
  frames: readonly TimedFrame[],
  script: Script,
  damage: (frame: Buffer) => Buffer,
): ScriptedStream {
  const at = positionAfter(frames, script);
  const good = frames.slice(0, at);
  const victim = frames[at];
  return broken(victim ? [...good, { ...victim, bytes: damage(victim.bytes) }] : good);
}

function withException(frames: readonly TimedFrame[], script: Script): ScriptedStream {
  const error = streamErrorOf(script.name);
  const at = positionAfter(frames, script);
  const good = frames.slice(0, at);
  if (!error) return broken(good);
  const type = error.code.charAt(0).toLowerCase() + error.code.slice(1);
  const body = Buffer.from(JSON.stringify({ message: error.message, ...error.members }));
  return broken([
    ...good,
    { atMs: frames[at]?.atMs ?? 0, bytes: encodeException(type, body), tokens: 0 },
  ]);
}

function unknownEvent(): Buffer {
  return eventFrame('contentBlockWeather', { contentBlockIndex: 0, forecast: 'sunny' });
}

function inserted(frames: readonly TimedFrame[], script: Script, bytes: Buffer): Step[] {
  const at = positionAfter(frames, script);
  const step = { atMs: frames[at]?.atMs ?? 0, bytes, tokens: 0 };
  return [...frames.slice(0, at), step, ...frames.slice(at)];
}

function replacedAt(frames: readonly TimedFrame[], script: Script, bytes: Buffer): Step[] {
  const at = positionAfter(frames, script);
  return frames.map((frame, index) => (index === at ? { ...frame, bytes } : frame));
}

function* trickle(frames: readonly TimedFrame[], everyMs: number): Generator<Step> {
  const [start] = frames;
  if (!start) return;
  yield start;
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const bytes = eventFrame('metadata', { usage, metrics: { latencyMs: 0 } });
  for (let atMs = start.atMs + everyMs; ; atMs += everyMs) yield { atMs, bytes, tokens: 0 };
}
