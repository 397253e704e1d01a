import { defaultConfiguration } from '@matsuri/contract';

import type { ModelEvent } from '../../../core/model-event';
import type { ModelRequest } from '../../../core/model-request';
import type { CallTarget } from '../../../ports';
import { createBedrockCaller } from '../bedrock-caller';
import type { BedrockCaller, BedrockCallerOptions } from '../bedrock-caller';

export const TOKYO = 'ap-northeast-1';
export const HAIKU: CallTarget = {
  profile: 'jp.anthropic.claude-haiku-4-5-20251001-v1:0',
  region: TOKYO,
};
export const SONNET: CallTarget = { profile: 'jp.anthropic.claude-sonnet-5', region: TOKYO };
export const TITAN: CallTarget = { profile: 'amazon.titan-embed-text-v2:0', region: TOKYO };

export const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not-a-secret' };

/** A caller with the shipped configuration, at an endpoint of our own. */
export function callerAt(
  endpoint: string,
  overrides: Partial<BedrockCallerOptions> = {},
): BedrockCaller {
  return createBedrockCaller({
    catalogue: defaultConfiguration.models,
    connections: defaultConfiguration.pools.perTask.bedrock,
    credentials: () => Promise.resolve(CREDENTIALS),
    endpoint,
    ...overrides,
  });
}

/** A request with one question. */
export function question(text: string, rest: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'simple',
    system: [],
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    maxTokens: 500,
    ...rest,
  };
}

/** Everything a stream gave before it ended or failed. */
export interface Received {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly error: unknown;
}

/** Reads a stream to its end, or to its fault. */
export async function receive(
  stream: Promise<AsyncIterable<readonly ModelEvent[]>>,
): Promise<Received> {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const batch of await stream) events.push(...batch);
  } catch (cause) {
    error = cause;
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { events, text, error };
}

/** Reads a stream step by step. */
export function iterator(
  stream: AsyncIterable<readonly ModelEvent[]>,
): AsyncIterator<readonly ModelEvent[]> {
  return stream[Symbol.asyncIterator]();
}
