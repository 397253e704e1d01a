import { z } from 'zod';

/** Where a script shows: nowhere, as a refusal, as silence, in the frames, in the socket or in the words. */
type Phase = 'normal' | 'refusal' | 'stall' | 'frames' | 'transport' | 'content';

interface ScriptDescription {
  readonly name: string;
  readonly phase: Phase;
  readonly description: string;
}

/** Everything the stand-in can be told to do to a caller. */
export const BEDROCK_SCRIPTS = [
  { name: 'ok', phase: 'normal', description: 'answers as a healthy model does' },
  {
    name: 'tool-use',
    phase: 'content',
    description: 'calls an offered tool whatever the question says',
  },
  { name: 'throttle', phase: 'refusal', description: '429 ThrottlingException before any stream' },
  { name: 'internal-error', phase: 'refusal', description: '500 InternalServerException' },
  { name: 'service-unavailable', phase: 'refusal', description: '503 ServiceUnavailableException' },
  { name: 'model-not-ready', phase: 'refusal', description: '429 ModelNotReadyException' },
  { name: 'model-timeout', phase: 'refusal', description: '408 ModelTimeoutException' },
  { name: 'model-error', phase: 'refusal', description: '424 ModelErrorException' },
  { name: 'access-denied', phase: 'refusal', description: '403 AccessDeniedException' },
  {
    name: 'bad-gateway-html',
    phase: 'refusal',
    description: '502 with an HTML page, as a proxy in between sends',
  },
  {
    name: 'hang-before-headers',
    phase: 'stall',
    description: 'accepts the request and never answers',
  },
  {
    name: 'hang-after-metadata',
    phase: 'stall',
    description: 'sends messageStart, then nothing ever again',
  },
  {
    name: 'slow-loris',
    phase: 'stall',
    description: 'sends the whole answer, bytesPerSecond at a time',
  },
  {
    name: 'trickle-metadata',
    phase: 'stall',
    description: 'sends events without content for ever, one every everyMs',
  },
  {
    name: 'thinking-pause',
    phase: 'stall',
    description: 'stays silent for pauseMs before the first content',
  },
  {
    name: 'stream-model-error',
    phase: 'frames',
    description: 'modelStreamErrorException after afterTokens tokens',
  },
  {
    name: 'stream-throttling',
    phase: 'frames',
    description: 'throttlingException after afterTokens tokens',
  },
  {
    name: 'stream-internal-error',
    phase: 'frames',
    description: 'internalServerException after afterTokens tokens',
  },
  {
    name: 'stream-service-unavailable',
    phase: 'frames',
    description: 'serviceUnavailableException after afterTokens tokens',
  },
  {
    name: 'stream-validation',
    phase: 'frames',
    description: 'validationException after afterTokens tokens',
  },
  {
    name: 'wrong-prelude-crc',
    phase: 'frames',
    description: 'a frame whose prelude checksum is false',
  },
  {
    name: 'wrong-message-crc',
    phase: 'frames',
    description: 'a frame whose message checksum is false',
  },
  {
    name: 'truncated-frame',
    phase: 'frames',
    description: 'ends the body properly in the middle of a frame',
  },
  { name: 'frame-length-2-31', phase: 'frames', description: 'a frame that claims two gibibytes' },
  {
    name: 'header-overrun',
    phase: 'frames',
    description: 'a frame whose headers claim to be longer than it',
  },
  {
    name: 'unknown-event',
    phase: 'frames',
    description: 'an event of a type no client knows, amid a good answer',
  },
  {
    name: 'invalid-utf8',
    phase: 'frames',
    description: 'a delta whose text is not UTF-8, amid a good answer',
  },
  {
    name: 'malformed-json',
    phase: 'frames',
    description: 'a frame with true checksums around broken JSON',
  },
  { name: 'duplicate-message-stop', phase: 'frames', description: 'messageStop twice' },
  {
    name: 'no-metadata',
    phase: 'frames',
    description: 'a good answer that never states its usage',
  },
  { name: 'empty-stream', phase: 'frames', description: '200 and an end, without a single event' },
  {
    name: 'reset-before-headers',
    phase: 'transport',
    description: 'resets the connection instead of answering',
  },
  {
    name: 'reset-mid-frame',
    phase: 'transport',
    description: 'resets the connection inside a frame',
  },
  {
    name: 'reply-after-cancel',
    phase: 'transport',
    description: 'goes on generating after the caller has left',
  },
  {
    name: 'nasty-text',
    phase: 'content',
    description: 'words meant to break SSE, HTTP, terminals and pages',
  },
] as const satisfies readonly ScriptDescription[];

export type ScriptName = (typeof BEDROCK_SCRIPTS)[number]['name'];

const SCRIPT_NAMES = BEDROCK_SCRIPTS.map(({ name }) => name);

/** A script with what it can be told; the numbers that do not concern it are ignored. */
export const scriptSchema = z.object({
  name: z.enum(SCRIPT_NAMES).default('ok'),
  /** Tokens sent before something goes wrong. */
  afterTokens: z.coerce.number().int().min(0).default(5),
  pauseMs: z.coerce.number().min(0).default(3_000),
  everyMs: z.coerce.number().min(1).default(1_000),
  bytesPerSecond: z.coerce.number().positive().default(1),
  /** Exactly so many tokens of text, whatever the question. */
  tokens: z.coerce.number().int().min(1).optional(),
  /** Exactly these words, whatever the question. */
  text: z.string().min(1).optional(),
});

export type ScriptOptions = z.input<typeof scriptSchema>;
export type Script = z.output<typeof scriptSchema>;

export const OK_SCRIPT: Script = scriptSchema.parse({});

/** Reads `name; key=value; …` as the `x-standin-script` header writes a script. */
export function parseScriptHeader(header: string): Script {
  const [name, ...settings] = header.split(';').map((part) => part.trim());
  const options = settings.filter(Boolean).map((setting) => {
    const [key = '', ...value] = setting.split('=');
    return [key, decodeURIComponent(value.join('='))];
  });
  return z.strictObject(scriptSchema.shape).parse({ ...Object.fromEntries(options), name });
}
