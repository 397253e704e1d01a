import type { TokenUsage } from '@matsuri/contract';

import type { ModelEvent, StopReason } from '../../model-event';
import { errorBody, type OpenAiError } from '../refusal/open-ai-error';
import { refusal } from '../refusal/refusals';
import { createChunkTemplate, type ChunkHead, type ChunkTemplate } from './chunk-template';
import { finishReason } from './finish-reason';
import type { ReplyStyle } from './reply-style';
import { DONE, sseEvent } from './sse';
import { createToolStream, type ToolStream } from './tool-stream';
import { completionUsage } from './usage';

export interface ChunkTranslatorOptions extends ChunkHead {
  readonly style?: ReplyStyle;
}

/**
 * Turns what a model says into the text of an OpenAI stream, ready to be written:
 * role → content, reasoning and tool-call deltas → finish → (usage) → [DONE], or an error and nothing more.
 */
export interface ChunkTranslator {
  /** The chunks of a batch of events; empty when the events say nothing to the client. */
  translate(events: readonly ModelEvent[]): string;
  /**
   * What closes a stream that the model ended: the usage chunk if it was asked for, then `[DONE]`. `usage` is
   * used when the model told none. An answer without a stop reason was cut: it closes with an error instead.
   */
  end(usage?: TokenUsage): string;
  /** What closes a stream that failed: an error event, no `[DONE]`. */
  fail(error: OpenAiError): string;
}

export function createChunkTranslator(options: ChunkTranslatorOptions): ChunkTranslator {
  const template = createChunkTemplate(options);
  return new Translator(template, createToolStream(template, options.style ?? {}), options);
}

class Translator implements ChunkTranslator {
  private begun = false;
  private stopped = false;
  private closed = false;
  private thought = false;
  private usage: TokenUsage | undefined;

  constructor(
    private readonly template: ChunkTemplate,
    private readonly tools: ToolStream,
    private readonly options: ChunkTranslatorOptions,
  ) {}

  translate(events: readonly ModelEvent[]): string {
    if (this.closed) return '';
    let text = '';
    for (const event of events) text += this.translateOne(event);
    return text === '' ? '' : this.opening() + text;
  }

  end(usage?: TokenUsage): string {
    if (this.closed) return '';
    if (!this.stopped) return this.fail(refusal('answer-cut', { subject: this.options.model }));
    this.closed = true;
    const told = this.usage ?? usage;
    if (!this.options.includeUsage || told === undefined) return DONE;
    return this.template.usage(completionUsage(told, this.thought)) + DONE;
  }

  fail(error: OpenAiError): string {
    if (this.closed) return '';
    this.closed = true;
    return sseEvent(errorBody(error));
  }

  private opening(): string {
    if (this.begun) return '';
    this.begun = true;
    return this.template.role();
  }

  private translateOne(event: ModelEvent): string {
    if (event.type === 'usage') this.usage = event.usage;
    // Whatever follows the stop is not part of the answer; a second stop would be a second end.
    if (this.stopped) return '';
    switch (event.type) {
      case 'text':
        return event.text === '' ? '' : this.template.content(event.text);
      case 'thinking':
        return event.text === '' ? '' : this.think(event.text);
      case 'tool-start':
        return this.tools.start(event.index, event.id, event.name);
      case 'tool-input':
        return this.tools.input(event.index, event.json);
      case 'block-stop':
        return this.tools.stop(event.index);
      case 'stop':
        return this.stop(event.reason);
      case 'start':
      case 'usage':
        return '';
    }
  }

  private think(text: string): string {
    this.thought = true;
    return this.template.reasoning(text);
  }

  private stop(reason: StopReason): string {
    this.stopped = true;
    return this.template.finish(finishReason(reason, this.tools.calls() > 0));
  }
}
