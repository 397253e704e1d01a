import type { ScriptName } from '@matsuri/local';

/** What a client sees of a misbehaving model: its whole answer, words and then an error, or an error and no words. */
export type Seen = 'completed' | 'broken' | 'failed';

export interface Expected {
  /** A stream, when one attempt of several meets the script. */
  readonly streamOnce: Seen;
  /** The same, when it happens before any content. */
  readonly streamEarly: Seen;
  /** A stream, when every attempt meets it. */
  readonly streamAlways: Seen;
  readonly wholeOnce: Seen;
  readonly wholeAlways: Seen;
}

const HARMLESS: Expected = {
  streamOnce: 'completed',
  streamEarly: 'completed',
  streamAlways: 'completed',
  wholeOnce: 'completed',
  wholeAlways: 'completed',
};

/** Before any content: another target answers, as long as there is one. */
const FAILS_OVER: Expected = { ...HARMLESS, streamAlways: 'failed', wholeAlways: 'failed' };

/** Nobody can tell the silence of a model that writes a whole answer from that of one that never will. */
const SILENT: Expected = { ...FAILS_OVER, wholeOnce: 'failed' };

/** After some content there is no way back. */
const BREAKS: Expected = { ...FAILS_OVER, streamOnce: 'broken', streamAlways: 'broken' };

/** The request itself is at fault: no other target would do better. */
const REJECTED: Expected = { ...BREAKS, streamEarly: 'failed', wholeOnce: 'failed' };

/** How every script of the stand-in looks from outside. */
export const EXPECTED: Readonly<Record<ScriptName, Expected>> = {
  ok: HARMLESS,
  'tool-use': HARMLESS,
  throttle: FAILS_OVER,
  'internal-error': FAILS_OVER,
  'service-unavailable': FAILS_OVER,
  'model-not-ready': FAILS_OVER,
  'model-timeout': FAILS_OVER,
  'model-error': FAILS_OVER,
  'access-denied': FAILS_OVER,
  'bad-gateway-html': FAILS_OVER,
  'hang-before-headers': SILENT,
  'hang-after-metadata': SILENT,
  'slow-loris': SILENT,
  'trickle-metadata': SILENT,
  'thinking-pause': HARMLESS,
  'stream-model-error': BREAKS,
  'stream-throttling': BREAKS,
  'stream-internal-error': BREAKS,
  'stream-service-unavailable': BREAKS,
  'stream-validation': REJECTED,
  'wrong-prelude-crc': BREAKS,
  'wrong-message-crc': BREAKS,
  'truncated-frame': BREAKS,
  'frame-length-2-31': BREAKS,
  'header-overrun': BREAKS,
  'unknown-event': HARMLESS,
  'invalid-utf8': HARMLESS,
  'malformed-json': BREAKS,
  'duplicate-message-stop': HARMLESS,
  // A whole answer without its price is no answer.
  'no-metadata': { ...HARMLESS, wholeAlways: 'failed' },
  'empty-stream': FAILS_OVER,
  'reset-before-headers': FAILS_OVER,
  'reset-mid-frame': BREAKS,
  'reply-after-cancel': HARMLESS,
  'nasty-text': HARMLESS,
};
