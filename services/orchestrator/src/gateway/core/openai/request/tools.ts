import type { Tool, ToolOffer } from '../../model-request';
import type { ChatRequest } from './chat-request-schema';
import { invalid, wrongType } from './faults';
import { InvalidRequestError } from './invalid-request-error';
import { jsonFault } from './json-bounds';
import { isJsonObject, type JsonObject } from './json-object';

type ToolParameters = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/** The tools a model may or must use; undefined where it may use none. */
export function readTools(request: ToolParameters): ToolOffer | undefined {
  if (!request.tools) {
    refuseWithoutTools(request);
    return undefined;
  }
  const tools = request.tools.map(readTool);
  checkTogether(tools);
  return chosen(tools, request.tool_choice ?? 'auto');
}

function refuseWithoutTools(request: ToolParameters): void {
  const choice = request.tool_choice ?? 'none';
  if (choice !== 'none' && choice !== 'auto') throw onlyWithTools('tool_choice');
  if (typeof request.parallel_tool_calls === 'boolean') throw onlyWithTools('parallel_tool_calls');
}

function onlyWithTools(param: string): InvalidRequestError {
  const message = `Invalid value for '${param}': '${param}' is only allowed when 'tools' are specified.`;
  return new InvalidRequestError(message, param);
}

function readTool({ function: { name, description, parameters } }: OpenAiTool, at: number): Tool {
  const about = description?.trim() ? { description: description.toWellFormed() } : {};
  const param = `tools[${at}].function.parameters`;
  return {
    name,
    ...about,
    inputSchema: objectSchema(parameters ?? {}, param, `function '${name}'`),
  };
}

type OpenAiTool = NonNullable<ChatRequest['tools']>[number];

/** A JSON Schema of an object; one that does not say so is made to. */
export function objectSchema(schema: unknown, param: string, owner: string): JsonObject {
  if (!isJsonObject(schema)) throw wrongType(param, 'an object', schema);
  const type = schema['type'] ?? 'object';
  if (type !== 'object') {
    const got = typeof type === 'string' ? type.slice(0, 32) : 'another';
    throw new InvalidRequestError(
      `Invalid schema for ${owner}: schema must be a JSON Schema of 'type: "object"', got 'type: "${got}"'.`.toWellFormed(),
      param,
      'invalid_function_parameters',
    );
  }
  return schema['type'] === 'object' ? schema : { properties: {}, ...schema, type: 'object' };
}

function checkTogether(tools: readonly Tool[]): void {
  const fault = jsonFault(tools);
  if (fault !== undefined) throw invalid('tools', fault);
  const names = new Set<string>();
  tools.forEach(({ name }, at) => {
    if (names.has(name)) throw invalid(`tools[${at}].function.name`, `'${name}' is defined twice.`);
    names.add(name);
  });
}

type ToolChoice = NonNullable<ChatRequest['tool_choice']>;

function chosen(tools: readonly Tool[], choice: ToolChoice): ToolOffer | undefined {
  if (choice === 'none') return undefined;
  if (choice === 'auto') return { tools, choice: 'auto' };
  if (choice === 'required') return { tools, choice: 'any' };
  if (choice.type === 'function') {
    checkOffered(tools, choice.function.name, 'tool_choice.function.name');
    return { tools, choice: { name: choice.function.name } };
  }
  return allowed(tools, choice.allowed_tools);
}

type AllowedTools = Extract<ToolChoice, { type: 'allowed_tools' }>['allowed_tools'];

function allowed(tools: readonly Tool[], { mode, tools: named }: AllowedTools): ToolOffer {
  const names = named.map(({ function: { name } }, at) => {
    checkOffered(tools, name, `tool_choice.allowed_tools.tools[${at}].function.name`);
    return name;
  });
  return {
    tools: tools.filter(({ name }) => names.includes(name)),
    choice: mode === 'required' ? 'any' : 'auto',
  };
}

function checkOffered(tools: readonly Tool[], name: string, param: string): void {
  if (tools.some((tool) => tool.name === name)) return;
  throw invalid(param, "this tool is not among the 'tools' of the request.");
}
