import type { ScriptName, ScriptOptions } from '@matsuri/local';
import type { CallPlan, Departure } from '../client/call-plan';
import { PROMPT_CANARY } from '../gateway-log';
import { seededRandom, type SeededRandom } from '../seeded-random';

/** A call and what its model will do to it. */
export interface MixedCall extends CallPlan {
  /** Which gateway it goes to, if that one is up. */
  readonly place: number;
  readonly client: 'raw' | 'official';
  readonly script: ScriptOptions;
  /** For how many attempts; the next one goes well. */
  readonly scriptedAttempts: number;
  /** By which the model knows the call. */
  readonly marker: string;
}

export interface MixOptions {
  readonly seed: number;
  readonly count: number;
  readonly places: number;
  /** What models do, but for answering well. */
  readonly misbehaviours: readonly ScriptName[];
  readonly models: readonly string[];
  readonly tenants: number;
}

const EVERY_ATTEMPT = 20;

/** Calls of every kind, decided by the seed alone. */
export function mixedCalls(options: MixOptions): readonly MixedCall[] {
  const random = seededRandom(options.seed);
  return Array.from({ length: options.count }, (_, index) => mixedCall(index, random, options));
}

function mixedCall(index: number, random: SeededRandom, options: MixOptions): MixedCall {
  const number = String(index).padStart(6, '0');
  const marker = `call-${number}-of-${options.seed}`;
  const stream = random.chance(0.7);
  const client = random.chance(0.1) ? 'official' : 'raw';
  const departure = departureFor(random, stream, client);
  const usual = departure.kind === 'stops-reading' ? 3_000 : random.between(3, 120);
  const tools = random.chance(0.1);
  return {
    id: marker,
    marker,
    place: random.between(0, options.places - 1),
    client,
    tenant: `tenant-${random.between(1, options.tenants)}`,
    stream,
    departure,
    script: scriptFor(random, options.misbehaviours, usual),
    scriptedAttempts: random.chance(0.7) ? 1 : EVERY_ATTEMPT,
    body: {
      model: random.pick(options.models),
      messages: [{ role: 'user', content: `${marker} ${PROMPT_CANARY} ${topic(random)}` }],
      max_tokens: 4_000,
      stream,
      ...(stream && random.chance(0.5) && { stream_options: { include_usage: true } }),
      ...(tools && { tools: [LOOK_UP] }),
    },
  };
}

const LOOK_UP = {
  type: 'function',
  function: {
    name: 'look_up_title',
    description: 'Finds a title of the catalogue',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
};

const TOPICS = ['the next volume', '新刊はいつ出ますか', 'a gift for a ten-year-old', 'the ending'];

function topic(random: SeededRandom): string {
  return `What about ${random.pick(TOPICS)}? `.repeat(random.between(1, 20)).trim();
}

function departureFor(random: SeededRandom, stream: boolean, client: string): Departure {
  if (random.chance(0.65)) return { kind: 'stays' };
  const afterEvents = random.between(1, 30);
  if (client === 'official') return { kind: 'in-the-middle', afterEvents };
  const afterMs = random.between(0, 120);
  if (!stream) return random.pick([{ kind: 'before-headers', afterMs }, { kind: 'at-first-byte' }]);
  const forMs = random.between(100, 900);
  return random.pick<Departure>([
    { kind: 'before-headers', afterMs },
    { kind: 'at-first-byte' },
    { kind: 'in-the-middle', afterEvents },
    { kind: 'at-last-byte' },
    { kind: 'half-close', afterEvents },
    { kind: 'stops-reading', afterEvents, forMs, then: 'leaves' },
    { kind: 'stops-reading', afterEvents, forMs, then: 'reads-on' },
  ]);
}

function scriptFor(
  random: SeededRandom,
  misbehaviours: readonly ScriptName[],
  tokens: number,
): ScriptOptions {
  const name = random.chance(0.6) ? 'ok' : random.pick(misbehaviours);
  return {
    name,
    // Byte by byte a long answer would outlast the run.
    tokens: name === 'slow-loris' ? Math.min(tokens, 60) : tokens,
    // Within the answer: past its end there is nothing to spoil.
    afterTokens: random.between(0, Math.min(10, tokens - 1)),
    pauseMs: random.between(300, 900),
    everyMs: 100,
    bytesPerSecond: random.pick([1, 10_000]),
  };
}
