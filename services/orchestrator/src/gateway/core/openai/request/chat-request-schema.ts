import { z } from 'zod';

import { LIMITS } from './sizes';

/** The parts of OpenAI's request that are read. Unknown members of messages and tools are dropped. */

/** OpenAI's mark, and the one other gateways use, for the end of a prefix worth keeping. */
const cacheMark = {
  prompt_cache_breakpoint: z.object({}).nullish(),
  cache_control: z.object({}).nullish(),
};

const textPart = z.object({ type: z.literal('text'), text: z.string(), ...cacheMark });
const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({ url: z.string() }),
  ...cacheMark,
});
const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });

const textContent = z.union([z.string(), z.array(textPart)]);
const userContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [textPart, imagePart])),
]);
const assistantContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [textPart, refusalPart])),
]);

const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]+$/)
  .max(64);

const toolCall = z.object({
  id: z.string().min(1).max(256),
  type: z.literal('function'),
  function: z.object({ name: toolName, arguments: z.string() }),
});

const instructionMessage = z.object({
  role: z.enum(['system', 'developer']),
  content: textContent,
});
const userMessage = z.object({ role: z.literal('user'), content: userContent });
const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: assistantContent.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(toolCall).min(1).nullish(),
  function_call: z.unknown().optional(),
});
const toolMessage = z.object({
  role: z.literal('tool'),
  content: textContent,
  tool_call_id: z.string(),
});

const message = z.discriminatedUnion('role', [
  instructionMessage,
  userMessage,
  assistantMessage,
  toolMessage,
]);

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: toolName,
    description: z.string().nullish(),
    parameters: z.unknown().optional(),
  }),
});

const namedTool = z.object({
  type: z.literal('function'),
  function: z.object({ name: z.string() }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    namedTool,
    z.object({
      type: z.literal('allowed_tools'),
      allowed_tools: z.object({
        mode: z.enum(['auto', 'required']),
        tools: z.array(namedTool).min(1),
      }),
    }),
  ]),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: toolName,
      description: z.string().nullish(),
      schema: z.unknown().optional(),
    }),
  }),
]);

const tokens = z.int().min(1);

export const chatRequestSchema = z.object({
  model: z.string(),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(LIMITS.stopSequences)]).nullish(),
  tools: z.array(tool).min(1).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  prompt_cache_options: z.object({ mode: z.enum(['implicit', 'explicit']).nullish() }).nullish(),
});

export type ChatRequest = z.output<typeof chatRequestSchema>;
export type Message = z.output<typeof message>;
export type AssistantMessage = z.output<typeof assistantMessage>;
export type ToolMessage = z.output<typeof toolMessage>;
export type TextContent = z.output<typeof textContent>;
export type UserContent = z.output<typeof userContent>;
export type TextPart = z.output<typeof textPart>;
export type ImagePart = z.output<typeof imagePart>;
