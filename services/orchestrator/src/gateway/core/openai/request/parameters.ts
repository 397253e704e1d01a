import { onlyDefault, unknown, unsupported } from './faults';
import type { JsonObject } from './json-object';

/**
 * What becomes of a parameter: it is read; it is ignored, because an answer without it is as good; only its
 * default is taken, because another value would ask for another answer; or it is refused.
 */
type Treatment =
  | 'read'
  | 'ignored'
  | { readonly only: string; readonly isDefault: (value: unknown) => boolean }
  | { readonly refused: true; readonly instead?: string };

const REFUSED = { refused: true } as const;

function only(standard: string | number | boolean): Treatment {
  return { only: String(standard), isDefault: (value) => value === standard };
}

const TREATMENTS: Readonly<Record<string, Treatment>> = {
  model: 'read',
  messages: 'read',
  stream: 'read',
  stream_options: 'read',
  max_tokens: 'read',
  max_completion_tokens: 'read',
  temperature: 'read',
  top_p: 'read',
  stop: 'read',
  tools: 'read',
  tool_choice: 'read',
  parallel_tool_calls: 'read',
  response_format: 'read',
  reasoning_effort: 'read',
  service_tier: 'read',
  prompt_cache_options: 'read',

  // Labels, and hints that promise nothing.
  user: 'ignored',
  safety_identifier: 'ignored',
  metadata: 'ignored',
  store: 'ignored',
  seed: 'ignored',
  prompt_cache_key: 'ignored',
  prompt_cache_retention: 'ignored',

  n: only(1),
  frequency_penalty: only(0),
  presence_penalty: only(0),
  logprobs: only(false),
  top_logprobs: only(0),
  verbosity: only('medium'),
  logit_bias: { only: '{}', isDefault: (value) => isEmptyObject(value) },
  modalities: { only: '["text"]', isDefault: (value) => isTextOnly(value) },

  audio: REFUSED,
  prediction: REFUSED,
  moderation: REFUSED,
  web_search_options: REFUSED,
  functions: { refused: true, instead: 'tools' },
  function_call: { refused: true, instead: 'tool_choice' },
};

// A map has no inherited members: `constructor` is as unknown as any other word.
const TREATMENT_OF: ReadonlyMap<string, Treatment> = new Map(Object.entries(TREATMENTS));

/** Throws on the first parameter that would change the meaning of the request. `null` means unset. */
export function checkParameters(body: JsonObject): void {
  for (const name in body) {
    if (!Object.hasOwn(body, name)) continue;
    const treatment = TREATMENT_OF.get(name);
    if (treatment === undefined) throw unknown(name);
    if (typeof treatment === 'object') checkValue(name, body[name], treatment);
  }
}

function checkValue(name: string, value: unknown, treatment: Exclude<Treatment, string>): void {
  if (value === null) return;
  if ('refused' in treatment) throw unsupported(name, treatment.instead);
  if (!treatment.isDefault(value)) throw onlyDefault(name, value, treatment.only);
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isTextOnly(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && value[0] === 'text';
}
