import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type {
  ContentBlock as SdkContent,
  ConverseCommandInput,
  ConverseCommandOutput,
  ConverseStreamOutput,
  SystemContentBlock,
  TokenUsage as SdkUsage,
  Tool as SdkTool,
  ToolChoice,
} from '@aws-sdk/client-bedrock-runtime';
import type { TokenUsage } from '@matsuri/contract';
import { z } from 'zod';

import type { ModelAnswer, ModelEvent, StopReason } from '../../../core/model-event';
import type {
  ContentBlock,
  ModelRequest,
  SystemBlock,
  ToolOffer,
} from '../../../core/model-request';
import type { CallTarget } from '../../../ports';

/** The unmodified client, retries off. */
export function sdkClient(endpoint: string, region: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    endpoint,
    region,
    maxAttempts: 1,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'not-a-secret' },
  });
}

/** What somebody who knows only the SDK's types would send for a request that no rule has to bend. */
export function sdkInput(target: CallTarget, request: ModelRequest): ConverseCommandInput {
  const { tools, temperature, topP, stopSequences, serviceTier } = request;
  return {
    modelId: target.provisionedArn ?? target.profile,
    system: request.system.length > 0 ? request.system.map(sdkSystem) : undefined,
    messages: request.messages.map(({ role, content }) => ({
      role,
      content: content.map(sdkContent),
    })),
    inferenceConfig: {
      maxTokens: request.maxTokens,
      temperature,
      topP,
      stopSequences: stopSequences && [...stopSequences],
    },
    toolConfig: tools && { tools: tools.tools.map(sdkTool), toolChoice: sdkChoice(tools.choice) },
    serviceTier: serviceTier && { type: serviceTier },
  };
}

function sdkSystem(block: SystemBlock): SystemContentBlock {
  if (block.type === 'text') return { text: block.text };
  return { cachePoint: { type: 'default', ttl: block.ttl === '5m' ? undefined : block.ttl } };
}

function sdkContent(block: ContentBlock): SdkContent {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'cache-point':
      return { cachePoint: { type: 'default', ttl: block.ttl === '5m' ? undefined : block.ttl } };
    case 'image':
      return {
        image: {
          format: block.format,
          source: { bytes: new Uint8Array(Buffer.from(block.base64, 'base64')) },
        },
      };
    case 'tool-use':
      return {
        toolUse: {
          toolUseId: block.id,
          name: block.name,
          input: z.json().parse(block.input),
        },
      };
    case 'tool-result':
      return {
        toolResult: {
          toolUseId: block.id,
          content: [{ text: block.text }],
          status: block.failed ? 'error' : undefined,
        },
      };
  }
}

function sdkTool({ name, description, inputSchema }: ToolOffer['tools'][number]): SdkTool {
  return {
    toolSpec: { name, description, inputSchema: { json: z.json().parse(inputSchema) } },
  };
}

function sdkChoice(choice: ToolOffer['choice']): ToolChoice | undefined {
  if (choice === 'auto') return undefined;
  return choice === 'any' ? { any: {} } : { tool: { name: choice.name } };
}

/** The SDK's events in the gateway's words. */
export function modelEvents(event: ConverseStreamOutput): ModelEvent[] {
  if (event.messageStart) return [{ type: 'start' }];
  if (event.contentBlockStart?.start?.toolUse) {
    const { toolUseId = '', name = '' } = event.contentBlockStart.start.toolUse;
    const index = event.contentBlockStart.contentBlockIndex ?? 0;
    return [{ type: 'tool-start', index, id: toolUseId, name }];
  }
  if (event.contentBlockDelta) return deltaEvents(event.contentBlockDelta);
  if (event.contentBlockStop) {
    return [{ type: 'block-stop', index: event.contentBlockStop.contentBlockIndex ?? 0 }];
  }
  if (event.messageStop) {
    return [{ type: 'stop', reason: stopReason(event.messageStop.stopReason) }];
  }
  return event.metadata?.usage ? [{ type: 'usage', usage: usageOf(event.metadata.usage) }] : [];
}

function deltaEvents({
  delta,
  contentBlockIndex: index = 0,
}: NonNullable<ConverseStreamOutput['contentBlockDelta']>): ModelEvent[] {
  if (delta?.text !== undefined) return [{ type: 'text', index, text: delta.text }];
  if (delta?.toolUse?.input !== undefined) {
    return [{ type: 'tool-input', index, json: delta.toolUse.input }];
  }
  const thought = delta?.reasoningContent?.text;
  return thought === undefined ? [] : [{ type: 'thinking', index, text: thought }];
}

/** The SDK's whole answer in the gateway's words. */
export function modelAnswer({
  output,
  stopReason: reason,
  usage,
}: ConverseCommandOutput): ModelAnswer {
  if (!usage) throw new Error('no usage');
  return {
    blocks: (output?.message?.content ?? []).flatMap(answerBlocks),
    stopReason: stopReason(reason),
    usage: usageOf(usage),
  };
}

function answerBlocks(block: SdkContent): ModelAnswer['blocks'] {
  if (block.text !== undefined) return [{ type: 'text', text: block.text }];
  const thought = block.reasoningContent?.reasoningText?.text;
  if (thought !== undefined) return [{ type: 'thinking', text: thought }];
  if (!block.toolUse) return [];
  const { toolUseId: id = '', name = '', input } = block.toolUse;
  return [{ type: 'tool-use', id, name, inputJson: JSON.stringify(input) }];
}

function usageOf(usage: SdkUsage): TokenUsage {
  const forAnHour = usage.cacheDetails?.find(({ ttl }) => ttl === '1h')?.inputTokens;
  return {
    inputTokens: usage.inputTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    cacheReadTokens: usage.cacheReadInputTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteInputTokens ?? 0,
    ...(forAnHour !== undefined && { cacheWriteOneHourTokens: forAnHour }),
  };
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  max_tokens: 'max-tokens',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-use',
};

function stopReason(reason = ''): StopReason {
  const known = STOP_REASONS[reason];
  if (known === undefined) throw new Error(`no word for the stop reason ${reason}`);
  return known;
}
