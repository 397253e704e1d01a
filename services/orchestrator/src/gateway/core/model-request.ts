/** What a model is asked, in the gateway's own words: neither OpenAI's wire nor Bedrock's. */
export interface ModelRequest {
  /** An alias (`simple`, `complex`) or a profile id of the catalogue. */
  readonly model: string;
  readonly system: readonly SystemBlock[];
  readonly messages: readonly ModelMessage[];
  readonly tools?: ToolOffer;
  /** Always sent upstream: an unset one would reserve the model's maximum. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stopSequences?: readonly string[];
  /** Thinking the caller asked for; translated to what the serving model understands. */
  readonly thinking?: { readonly effort: 'low' | 'medium' | 'high' };
  readonly serviceTier?: 'default' | 'priority' | 'flex';
}

export type SystemBlock = TextBlock | CachePoint;

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
}

export type ContentBlock =
  | TextBlock
  | CachePoint
  | {
      readonly type: 'image';
      readonly format: 'png' | 'jpeg' | 'gif' | 'webp';
      readonly base64: string;
    }
  | {
      readonly type: 'tool-use';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
    }
  | {
      readonly type: 'tool-result';
      readonly id: string;
      readonly text: string;
      readonly failed: boolean;
    };

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** Everything before it may be kept by the model's prompt cache. */
export interface CachePoint {
  readonly type: 'cache-point';
  readonly ttl: '5m' | '1h';
}

export interface ToolOffer {
  readonly tools: readonly Tool[];
  readonly choice: 'auto' | 'any' | { readonly name: string };
}

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}
