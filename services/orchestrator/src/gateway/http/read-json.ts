import type { OpenAiError } from '../core/openai/refusal/open-ai-error';
import { refusal } from '../core/openai/refusal/refusals';
import { header, type Exchange } from './exchange';
import { parseJson } from './parse-json';
import { readBody, type BodyMemory } from './read-body';

/** No error means that the client left in the middle of it. */
export type ReadJsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: OpenAiError | undefined };

export interface ReadJsonOptions {
  readonly maxBytes: number;
  readonly memory: BodyMemory;
}

// A body of the largest size still arrives in this time over a slow line.
const BODY_TIMEOUT_MS = 30_000;
const OVERLOADED_WAIT_MS = 1_000;
const JSON_TYPE = /^application\/(?:json|[\w.-]+\+json)\s*(?:;|$)/i;

/** Reads a body that must be JSON. */
export async function readJson(
  { incoming }: Exchange,
  { maxBytes, memory }: ReadJsonOptions,
): Promise<ReadJsonResult> {
  const refused = (error: OpenAiError | undefined): ReadJsonResult => ({ ok: false, error });
  const mediaType = header(incoming, 'content-type') ?? '';
  if (!JSON_TYPE.test(mediaType)) {
    return refused(refusal('media-type-unsupported', { subject: mediaType }));
  }
  const encoding = header(incoming, 'content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    return refused(refusal('media-type-unsupported', { subject: encoding }));
  }
  const body = await readBody(incoming, { maxBytes, timeoutMs: BODY_TIMEOUT_MS }, memory);
  switch (body.kind) {
    case 'gone':
      return refused(undefined);
    case 'late':
      return refused(refusal('body-late'));
    case 'too-large':
      return refused(refusal('body-too-large', { subject: maxBytes }));
    case 'overloaded':
      return refused(refusal('overloaded', { waitMs: OVERLOADED_WAIT_MS }));
    case 'body': {
      const json = parseJson(body.bytes);
      return json ? { ok: true, value: json.value } : refused(refusal('body-unreadable'));
    }
  }
}
