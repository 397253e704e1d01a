/** What the request asked of the answer's form, beyond what the model was told. */
export interface ReplyStyle {
  /** The tool whose input is the answer itself: it becomes content, not a tool call. */
  readonly answerTool?: string;
  /** `parallel_tool_calls: false`: only the first tool call of an answer is passed on. */
  readonly singleToolCall?: boolean;
}

/** How one tool use of an answer is passed on. */
export type ToolUseRole = 'answer' | 'call' | 'dropped';

/** The role of the next tool use, given how many calls were passed on already. */
export function roleOfToolUse(style: ReplyStyle, name: string, callsSoFar: number): ToolUseRole {
  if (name === style.answerTool) return 'answer';
  return style.singleToolCall === true && callsSoFar > 0 ? 'dropped' : 'call';
}
