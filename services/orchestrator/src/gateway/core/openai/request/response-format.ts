import type { SystemBlock, Tool, ToolOffer } from '../../model-request';
import type { ChatRequest } from './chat-request-schema';
import { invalid } from './faults';
import { jsonFault } from './json-bounds';
import { objectSchema } from './tools';

/** How an answer in JSON is brought about. */
export interface ResponseForm {
  readonly instruction?: SystemBlock;
  readonly tools?: ToolOffer;
  /** The tool whose input is the answer. */
  readonly answerTool?: string;
}

const JSON_ONLY: SystemBlock = {
  type: 'text',
  text: 'Answer with one valid JSON object and nothing else: no words before or after it, no code fence.',
};

const ANSWER_TOOL = 'answer_in_json';
const ANSWER_DESCRIPTION = 'Gives the final answer to the user. Its input is the whole answer.';

/**
 * `json_object` is an instruction. `json_schema` is a tool that has the schema as its input and must be used:
 * models keep to the schema of a tool far better than to one they are told, and the answer is JSON from its
 * first character. Beside other tools the model must use one of all, so it either calls or answers.
 */
export function readResponseFormat(
  format: ChatRequest['response_format'],
  offered: ToolOffer | undefined,
): ResponseForm {
  const others = offered === undefined ? {} : { tools: offered };
  if (!format || format.type === 'text') return others;
  if (format.type === 'json_object' || format.json_schema.schema === undefined) {
    return { ...others, instruction: JSON_ONLY };
  }
  // A call that must be made leaves no room for an answer.
  if (offered !== undefined && offered.choice !== 'auto') return others;
  return answerByTool(format.json_schema, offered?.tools ?? []);
}

type JsonSchemaFormat = Extract<
  ChatRequest['response_format'],
  { type: 'json_schema' }
>['json_schema'];

function answerByTool(format: JsonSchemaFormat, others: readonly Tool[]): ResponseForm {
  const param = 'response_format.json_schema.schema';
  const inputSchema = objectSchema(format.schema, param, `response_format '${format.name}'`);
  const fault = jsonFault(inputSchema);
  if (fault !== undefined) throw invalid(param, fault);
  const name = freeName(others);
  const about = format.description?.trim();
  const description = about ? `${ANSWER_DESCRIPTION} ${about}`.toWellFormed() : ANSWER_DESCRIPTION;
  return {
    tools: {
      tools: [...others, { name, description, inputSchema }],
      choice: others.length === 0 ? { name } : 'any',
    },
    answerTool: name,
  };
}

function freeName(others: readonly Tool[]): string {
  let name = ANSWER_TOOL;
  while (others.some((tool) => tool.name === name)) name += '_';
  return name;
}
