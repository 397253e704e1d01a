import type { AnswerBlock, ModelAnswer } from '../../model-event';
import { finishReason, type FinishReason } from './finish-reason';
import { roleOfToolUse, type ReplyStyle } from './reply-style';
import { completionUsage, type CompletionUsage } from './usage';

interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly refusal: null;
  /** The model's thoughts: not OpenAI's field, but the one that clients of thinking models read. */
  readonly reasoning_content?: string;
  readonly tool_calls?: ToolCall[];
}

/** The body of an answer that was not streamed. */
export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly choices: {
    readonly index: number;
    readonly message: AssistantMessage;
    readonly logprobs: null;
    readonly finish_reason: FinishReason;
  }[];
  readonly usage: CompletionUsage;
}

export interface CompletionHead {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** The model that answered. */
  readonly model: string;
  readonly style?: ReplyStyle;
}

export function toChatCompletion(answer: ModelAnswer, head: CompletionHead): ChatCompletion {
  const { text, thoughts, calls } = gather(answer.blocks, head.style ?? {});
  const message: AssistantMessage = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(thoughts !== '' && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const finish_reason = finishReason(answer.stopReason, calls.length > 0);
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: completionUsage(answer.usage, thoughts !== ''),
  };
}

interface Gathered {
  text: string;
  thoughts: string;
  readonly calls: ToolCall[];
}

function gather(blocks: readonly AnswerBlock[], style: ReplyStyle): Gathered {
  const gathered: Gathered = { text: '', thoughts: '', calls: [] };
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        gathered.text += block.text;
        break;
      case 'thinking':
        gathered.thoughts += block.text;
        break;
      case 'tool-use':
        gatherToolUse(gathered, block, style);
        break;
    }
  }
  return gathered;
}

function gatherToolUse(
  gathered: Gathered,
  use: Extract<AnswerBlock, { type: 'tool-use' }>,
  style: ReplyStyle,
): void {
  const json = use.inputJson === '' ? '{}' : use.inputJson;
  switch (roleOfToolUse(style, use.name, gathered.calls.length)) {
    case 'answer':
      gathered.text += json;
      break;
    case 'call':
      gathered.calls.push({
        id: use.id,
        type: 'function',
        function: { name: use.name, arguments: json },
      });
      break;
    case 'dropped':
      break;
  }
}
