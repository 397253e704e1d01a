import type { FinishReason } from './finish-reason';
import { jsonText, sseEvent } from './sse';
import type { CompletionUsage } from './usage';

export interface ChunkHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** The model that answers. */
  readonly model: string;
  /** OpenAI then says `usage: null` in every chunk but the last. */
  readonly includeUsage: boolean;
}

/** Renders the chunks of one answer; what they have in common is rendered once. */
export interface ChunkTemplate {
  role(): string;
  content(text: string): string;
  reasoning(text: string): string;
  toolStart(index: number, id: string, name: string): string;
  toolArguments(index: number, json: string): string;
  finish(reason: FinishReason): string;
  usage(usage: CompletionUsage): string;
}

export function createChunkTemplate({
  id,
  created,
  model,
  includeUsage,
}: ChunkHead): ChunkTemplate {
  const head =
    `{"id":${jsonText(id)},"object":"chat.completion.chunk","created":${created},` +
    `"model":${jsonText(model)},"choices":[`;
  const before = `data: ${head}{"index":0,"delta":{`;
  const tail = includeUsage ? '}],"usage":null}\n\n' : '}]}\n\n';
  const after = `},"logprobs":null,"finish_reason":null${tail}`;

  return {
    role: () => `${before}"role":"assistant","content":"","refusal":null${after}`,
    content: (text) => `${before}"content":${jsonText(text)}${after}`,
    reasoning: (text) => `${before}"reasoning_content":${jsonText(text)}${after}`,
    toolStart: (index, callId, name) =>
      `${before}"tool_calls":[{"index":${index},"id":${jsonText(callId)},"type":"function",` +
      `"function":{"name":${jsonText(name)},"arguments":""}}]${after}`,
    toolArguments: (index, json) =>
      `${before}"tool_calls":[{"index":${index},"function":{"arguments":${jsonText(json)}}}]${after}`,
    finish: (reason) => `${before}},"logprobs":null,"finish_reason":"${reason}"${tail}`,
    usage: (usage) => sseEvent(`${head}],"usage":${JSON.stringify(usage)}}`),
  };
}
