import type { ModelRequest, Tool, ToolOffer } from '../../core/model-request';

export interface ToolConfig {
  readonly tools: readonly { readonly toolSpec: ToolSpec }[];
  readonly toolChoice?: ToolChoice;
}

interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly json: Readonly<Record<string, unknown>> };
}

type ToolChoice = { readonly any: object } | { readonly tool: { readonly name: string } };

/**
 * The tools on offer. Bedrock refuses a conversation with tool turns and no offer (its toolChoice knows no
 * "none"), so without one the tools that were used stand in, by name.
 */
export function toolConfig({ tools, messages }: ModelRequest): ToolConfig | undefined {
  if (tools && tools.tools.length > 0) {
    return { tools: tools.tools.map(toolSpec), ...chosen(tools.choice) };
  }
  const used = new Set<string>();
  for (const { content } of messages) {
    for (const block of content) if (block.type === 'tool-use') used.add(block.name);
  }
  if (used.size === 0) return undefined;
  return { tools: [...used].map((name) => toolSpec({ name, inputSchema: ANY_INPUT })) };
}

const ANY_INPUT = { type: 'object' };

function toolSpec({ name, description, inputSchema }: Tool): ToolConfig['tools'][number] {
  const described = description !== undefined && description !== '';
  return {
    toolSpec: { name, ...(described && { description }), inputSchema: { json: inputSchema } },
  };
}

function chosen(choice: ToolOffer['choice']): Pick<ToolConfig, 'toolChoice'> {
  if (choice === 'auto') return {};
  return { toolChoice: choice === 'any' ? { any: {} } : { tool: { name: choice.name } } };
}
