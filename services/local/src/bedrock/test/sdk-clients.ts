import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import type {
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  TokenUsage,
} from '@aws-sdk/client-bedrock-runtime';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export const SONNET = 'jp.anthropic.claude-sonnet-5';
export const HAIKU = 'jp.anthropic.claude-haiku-4-5-20251001-v1:0';
export const TITAN = 'amazon.titan-embed-text-v2:0';
export const COHERE = 'cohere.embed-multilingual-v3';

export const PROTOCOLS = ['HTTP/1.1', 'HTTP/2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface ClientOptions {
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An unmodified SDK client; HTTP/2 is its default, HTTP/1.1 comes from a client that speaks that. */
export function sdkClient(url: string, options: ClientOptions = {}): BedrockRuntimeClient {
  const region = options.region ?? 'ap-northeast-1';
  const client = new BedrockRuntimeClient({
    endpoint: url,
    region,
    maxAttempts: 1,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not-a-secret' },
    ...(options.protocol === 'HTTP/2'
      ? {}
      : { requestHandler: new DynamoDBClient({ region }).config.requestHandler }),
  });
  client.middlewareStack.add(
    (next) => (args) => {
      addHeaders(args.request, options.headers ?? {});
      return next(args);
    },
    { step: 'build', name: 'extraHeaders' },
  );
  return client;
}

function addHeaders(request: unknown, headers: Readonly<Record<string, string>>): void {
  if (typeof request !== 'object' || request === null || !('headers' in request)) return;
  if (typeof request.headers === 'object' && request.headers !== null) {
    Object.assign(request.headers, headers);
  }
}

/** A request with one question. */
export function question(
  text: string,
  rest: Partial<ConverseStreamCommandInput> = {},
): ConverseStreamCommandInput {
  return {
    modelId: HAIKU,
    messages: [{ role: 'user', content: [{ text }] }],
    inferenceConfig: { maxTokens: 500 },
    ...rest,
  };
}

/** Everything a stream gave before it ended or failed. */
export interface Received {
  readonly events: readonly ConverseStreamOutput[];
  readonly text: string;
  readonly reasoning: string;
  readonly signature: string;
  readonly toolInput: string;
  readonly textDeltas: number;
  readonly stopReason: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly error: Error | undefined;
}

/** Receives an answer that must be whole. */
export async function receive(
  client: BedrockRuntimeClient,
  input: ConverseStreamCommandInput,
): Promise<Received> {
  const received = await receiveUntilEnd(client, input);
  if (received.error) throw received.error;
  return received;
}

/** Receives whatever comes until the end or an error. */
export async function receiveUntilEnd(
  client: BedrockRuntimeClient,
  input: ConverseStreamCommandInput,
  options: { abortSignal?: AbortSignal; onEvent?: (count: number) => void } = {},
): Promise<Received> {
  const events: ConverseStreamOutput[] = [];
  let error: Error | undefined;
  try {
    const { abortSignal } = options;
    const { stream } = await client.send(
      new ConverseStreamCommand(input),
      abortSignal ? { abortSignal } : {},
    );
    for await (const event of stream ?? []) {
      events.push(event);
      options.onEvent?.(events.length);
    }
  } catch (cause) {
    error = cause instanceof Error ? cause : new Error(String(cause));
  }
  return { ...summary(events), events, error };
}

function summary(events: readonly ConverseStreamOutput[]): Omit<Received, 'events' | 'error'> {
  const deltas = events.flatMap(({ contentBlockDelta }) => contentBlockDelta?.delta ?? []);
  const texts = deltas.flatMap(({ text }) => text ?? []);
  return {
    text: texts.join(''),
    textDeltas: texts.length,
    reasoning: deltas.map(({ reasoningContent }) => reasoningContent?.text ?? '').join(''),
    signature: deltas.map(({ reasoningContent }) => reasoningContent?.signature ?? '').join(''),
    toolInput: deltas.map(({ toolUse }) => toolUse?.input ?? '').join(''),
    stopReason: events.find(({ messageStop }) => messageStop)?.messageStop?.stopReason,
    usage: events.findLast(({ metadata }) => metadata)?.metadata?.usage,
  };
}
