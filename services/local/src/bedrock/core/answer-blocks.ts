import { PHRASES, languageOf } from './answer-phrases';
import { answerTokens, thoughtTokens } from './answer-text';
import type { ConverseRequest, ToolSpec } from './converse-request';
import { NASTY_TEXT } from './nasty-text';
import { titlesInPrompt } from './prompt-sources';
import { sampleOfSchema } from './schema-sample';
import type { Script } from './scripts';
import type { SeededRandom } from './seeded-random';
import { splitTokens } from './tokenizer';
import { selectTools } from './tool-selection';

/** One content block of an answer, token by token. */
export type GeneratedBlock =
  | { readonly kind: 'reasoning'; readonly tokens: readonly string[] }
  | { readonly kind: 'text'; readonly tokens: readonly string[] }
  | {
      readonly kind: 'toolUse';
      readonly toolUseId: string;
      readonly name: string;
      readonly tokens: readonly string[];
    };

/** The text of the last turn of the user, which is what an answer depends on. */
export function lastWords({ messages }: ConverseRequest): string {
  const turn = messages.findLast(({ role }) => role === 'user');
  return turn?.content.map(({ text }) => text ?? '').join('\n') ?? '';
}

/** What a model thinks before it answers, when it is asked to think. */
export function reasoningBlocks(
  request: ConverseRequest,
  question: string,
  random: SeededRandom,
): GeneratedBlock[] {
  const thinking = request.additionalModelRequestFields?.thinking;
  if (!thinking || thinking.type === 'disabled') return [];
  const tokens = thoughtTokens(random, languageOf(question), random.between(2, 4));
  return [{ kind: 'reasoning', tokens }];
}

/** What a model answers when nothing cuts it short. */
export function answerBlocks(
  request: ConverseRequest,
  question: string,
  script: Script,
  random: SeededRandom,
): GeneratedBlock[] {
  if (script.text !== undefined) return [textBlock(script.text)];
  if (script.name === 'nasty-text') return [textBlock(NASTY_TEXT)];
  const results = toolResults(request);
  if (results.length > 0) return [textBlock(outcomeText(results, random))];
  const tools = selectTools(request, question, script.name === 'tool-use');
  if (tools.length > 0) return toolBlocks(request, tools, question, random);
  const schema = wantedSchema(request, question);
  if (schema !== undefined) {
    return [textBlock(JSON.stringify(sampleOfSchema(schema, { random, question })))];
  }
  const titles = titlesInPrompt(promptText(request));
  const tokens = answerTokens(random, {
    language: languageOf(question),
    titles,
    tokens: script.tokens,
  });
  return [{ kind: 'text', tokens }];
}

/** A block of words. */
export function textBlock(text: string): GeneratedBlock {
  return { kind: 'text', tokens: splitTokens(text) };
}

function promptText({ system, messages }: ConverseRequest): string {
  const last = messages.at(-1)?.content ?? [];
  return [...system, ...last].map(({ text }) => text ?? '').join('\n');
}

function toolResults({ messages }: ConverseRequest): string[] {
  const last = messages.at(-1)?.content ?? [];
  return last.flatMap(({ toolResult }) =>
    toolResult
      ? [toolResult.content.map((part) => part.text ?? JSON.stringify(part.json ?? null)).join(' ')]
      : [],
  );
}

function outcomeText(results: readonly string[], random: SeededRandom): string {
  const language = languageOf(results.join(''));
  return [random.pick(PHRASES[language].toolOutcome), ...results].join(
    language === 'ja' ? '' : ' ',
  );
}

function toolBlocks(
  request: ConverseRequest,
  tools: readonly ToolSpec[],
  question: string,
  random: SeededRandom,
): GeneratedBlock[] {
  const forced = request.toolConfig?.toolChoice?.any ?? request.toolConfig?.toolChoice?.tool;
  const preface = textBlock(random.pick(PHRASES[languageOf(question)].toolPreface));
  const calls = tools.map((tool): GeneratedBlock => {
    const input = sampleOfSchema(tool.inputSchema.json, { random, question });
    const tokens = splitTokens(JSON.stringify(input));
    return { kind: 'toolUse', toolUseId: toolUseId(random), name: tool.name, tokens };
  });
  return forced ? calls : [preface, ...calls];
}

const ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function toolUseId(random: SeededRandom): string {
  const letters = Array.from({ length: 22 }, () =>
    ID_ALPHABET.charAt(random.between(0, ID_ALPHABET.length - 1)),
  );
  return `tooluse_${letters.join('')}`;
}

const ASKS_FOR_JSON = /\bjson\b|jsonで|JSON形式/i;
const PLAIN_JSON_ANSWER = {
  type: 'object',
  properties: { answer: { type: 'string' }, confidence: { type: 'integer', maximum: 100 } },
  required: ['answer', 'confidence'],
};

/** The schema an answer must fit: the one given, or a plain one when the words ask for JSON. */
function wantedSchema(request: ConverseRequest, question: string): unknown {
  const given = request.outputConfig?.textFormat?.structure.jsonSchema.schema;
  if (given !== undefined) return JSON.parse(given);
  const instructions = request.system.map(({ text }) => text ?? '').join('\n');
  return ASKS_FOR_JSON.test(instructions + question) ? PLAIN_JSON_ANSWER : undefined;
}
