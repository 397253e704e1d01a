import type { TokenUsage } from '@matsuri/contract';

/** What a model says, piece by piece. `index` numbers the content blocks of one answer. */
export type ModelEvent =
  | { readonly type: 'start' }
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  | {
      readonly type: 'tool-start';
      readonly index: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: 'tool-input'; readonly index: number; readonly json: string }
  | { readonly type: 'block-stop'; readonly index: number }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'usage'; readonly usage: TokenUsage };

export type StopReason = 'end' | 'max-tokens' | 'stop-sequence' | 'tool-use' | 'filtered';

/** A whole answer, of a call that was not streamed. */
export interface ModelAnswer {
  readonly blocks: readonly AnswerBlock[];
  readonly stopReason: StopReason;
  readonly usage: TokenUsage;
}

export type AnswerBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'tool-use';
      readonly id: string;
      readonly name: string;
      readonly inputJson: string;
    };

/** Content ends the wait for the first content; metadata does not. */
export function isContent(event: ModelEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'thinking':
      return event.text !== '';
    case 'tool-start':
    case 'tool-input':
      return true;
    case 'start':
    case 'block-stop':
    case 'stop':
    case 'usage':
      return false;
  }
}
