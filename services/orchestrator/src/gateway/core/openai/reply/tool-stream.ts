import type { ChunkTemplate } from './chunk-template';
import { roleOfToolUse, type ReplyStyle, type ToolUseRole } from './reply-style';

/** Renders the tool uses of one answer; OpenAI numbers the calls, Bedrock the blocks. */
export interface ToolStream {
  start(block: number, id: string, name: string): string;
  input(block: number, json: string): string;
  stop(block: number): string;
  /** Calls passed on so far. */
  calls(): number;
}

interface OpenToolUse {
  readonly role: ToolUseRole;
  readonly call: number;
  said: boolean;
}

/** What a tool without arguments is called with; clients parse the arguments as JSON. */
const NO_ARGUMENTS = '{}';

export function createToolStream(template: ChunkTemplate, style: ReplyStyle): ToolStream {
  const open = new Map<number, OpenToolUse>();
  let calls = 0;

  const say = (use: OpenToolUse, json: string): string => {
    use.said = true;
    if (use.role === 'dropped') return '';
    return use.role === 'answer' ? template.content(json) : template.toolArguments(use.call, json);
  };

  return {
    start(block, id, name) {
      const role = roleOfToolUse(style, name, calls);
      open.set(block, { role, call: calls, said: false });
      if (role !== 'call') return '';
      calls += 1;
      return template.toolStart(calls - 1, id, name);
    },
    input(block, json) {
      const use = open.get(block);
      return use === undefined || json === '' ? '' : say(use, json);
    },
    stop(block) {
      const use = open.get(block);
      open.delete(block);
      return use === undefined || use.said ? '' : say(use, NO_ARGUMENTS);
    },
    calls: () => calls,
  };
}
