import { streamErrorOf } from './script-errors';
import type { Ending, Step } from './reply';
import type { Script, ScriptName } from './scripts';
import { dripped } from './slow-steps';

export interface ScriptedJson {
  readonly steps: Iterable<Step>;
  readonly ending: Ending;
  readonly outcome: 'finished' | 'broken';
}

interface JsonAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly readyAtMs: number;
  readonly tokens: number;
}

/** Puts a script upon a whole JSON answer, doing the nearest to what it does to a stream. */
export function scriptJson(answer: JsonAnswer, script: Script): ScriptedJson {
  const error = streamErrorOf(script.name);
  if (error) throw error;
  return TREATMENTS[script.name]?.(answer, script) ?? finished([due(answer, answer.body)]);
}

type Treatment = (answer: JsonAnswer, script: Script) => ScriptedJson;

const stopsHalfway =
  (ending: Ending): Treatment =>
  (answer) => ({ steps: [half(answer)], ending, outcome: 'broken' });

const sendsNothing =
  (ending: Ending): Treatment =>
  () => ({ steps: [], ending, outcome: 'broken' });

/** What scripts do to a JSON answer; those not named here leave a good one alone. */
const TREATMENTS: Partial<Record<ScriptName, Treatment>> = {
  'hang-before-headers': sendsNothing('hang'),
  'reset-before-headers': sendsNothing('reset'),
  'empty-stream': sendsNothing('end'),
  'hang-after-metadata': stopsHalfway('hang'),
  'truncated-frame': stopsHalfway('reset'),
  'reset-mid-frame': stopsHalfway('reset'),
  'wrong-prelude-crc': stopsHalfway('end'),
  'wrong-message-crc': stopsHalfway('end'),
  'frame-length-2-31': stopsHalfway('end'),
  'header-overrun': stopsHalfway('end'),
  'malformed-json': stopsHalfway('end'),
  'trickle-metadata': (_, { everyMs }) => ({
    steps: blanks(everyMs),
    ending: 'hang',
    outcome: 'broken',
  }),
  'slow-loris': (answer, { bytesPerSecond }) =>
    finished(dripped([due(answer, answer.body)], bytesPerSecond)),
  'thinking-pause': (answer, { pauseMs }) =>
    finished([due({ ...answer, readyAtMs: answer.readyAtMs + pauseMs }, answer.body)]),
  'unknown-event': (answer) => finished([due(answer, { ...answer.body, weather: 'sunny' })]),
  'no-metadata': (answer) =>
    finished([{ ...due(answer, { ...answer.body, usage: undefined }), statesUsage: false }]),
  'invalid-utf8': (answer) => {
    const step = due(answer, answer.body);
    return finished([{ ...step, bytes: withInvalidUtf8(step.bytes) }]);
  },
};

function due({ readyAtMs, tokens }: JsonAnswer, body: object): Step {
  const bytes = Buffer.from(JSON.stringify(body));
  return { atMs: readyAtMs, bytes, tokens, statesUsage: true };
}

function half(answer: JsonAnswer): Step {
  const { atMs, bytes } = due(answer, answer.body);
  return { atMs, bytes: bytes.subarray(0, bytes.length >> 1), tokens: 0 };
}

function finished(steps: Iterable<Step>): ScriptedJson {
  return { steps, ending: 'end', outcome: 'finished' };
}

const TEXT_KEY = Buffer.from('"text":"');

function withInvalidUtf8(body: Buffer): Buffer {
  const at = body.indexOf(TEXT_KEY);
  if (at < 0) return body;
  const cut = at + TEXT_KEY.length;
  return Buffer.concat([
    body.subarray(0, cut),
    Buffer.from([0xe7, 0xa5, 0x20, 0xff]),
    body.subarray(cut),
  ]);
}

/** White space for ever: JSON that never begins. */
function* blanks(everyMs: number): Generator<Step> {
  for (let atMs = 0; ; atMs += everyMs) yield { atMs, bytes: Buffer.from(' '), tokens: 0 };
}
