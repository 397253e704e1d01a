import { AwsError } from '../../wire/aws-error';
import type { ContentBlock, ConverseRequest, Message } from './converse-request';
import type { Model } from './models';
import { signReasoning } from './reasoning-signature';

/** Throws what Bedrock throws for a well-shaped request that a model cannot take. */
export function checkConverseRules(request: ConverseRequest, model: Model): void {
  if (model.family !== 'text') {
    throw refuse("This action doesn't support the model that you provided.");
  }
  checkEmulated(request);
  checkConversation(request.messages, model);
  checkTools(request);
  checkInference(request, model);
  checkThinking(request, model);
  checkOutputSchema(request);
}

/** The answer's limit: what was asked for, else all the model can. */
export function effectiveMaxTokens(request: ConverseRequest, model: Model): number {
  return request.inferenceConfig.maxTokens ?? model.maxOutputTokens;
}

/** Throws when the prompt, or the prompt with its answer, does not fit the model's context. */
export function checkContext(inputTokens: number, maxTokens: number, model: Model): void {
  if (inputTokens > model.contextTokens) throw refuse('Input is too long for requested model.');
  if (inputTokens + maxTokens > model.contextTokens && maxTokens < model.maxOutputTokens) {
    throw refuse(
      `input length and \`max_tokens\` exceed context limit: ${inputTokens} + ${maxTokens} > ` +
        `${model.contextTokens}, decrease input length or \`max_tokens\` and try again`,
    );
  }
}

/** Refuses aloud what the stand-in would otherwise ignore. */
function checkEmulated(request: ConverseRequest): void {
  for (const field of ['guardrailConfig', 'promptVariables'] as const) {
    if (request[field] !== undefined) {
      throw new AwsError(
        'NotImplementedException',
        `The Bedrock stand-in does not emulate ${field}.`,
        501,
      );
    }
  }
}

function checkConversation(messages: readonly Message[], model: Model): void {
  const [first] = messages;
  if (first?.role !== 'user') {
    throw refuse(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  }
  if (messages.some(({ role }, index) => messages[index - 1]?.role === role)) {
    throw refuse(
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
    );
  }
  if (messages.at(-1)?.role === 'assistant' && !model.prefill) {
    throw refuse(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  messages.forEach(checkMessage);
}

function checkMessage({ content }: Message, at: number): void {
  if (content.length === 0) {
    throw refuse(
      `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`,
    );
  }
  content.forEach((block, index) => checkBlock(block, `messages.${at}.content.${index}`));
}

function checkBlock(block: ContentBlock, at: string): void {
  if (block.text?.trim() === '') {
    throw refuse(
      `The text field in the ContentBlock object at ${at} is blank. Add text to the text field, and try again.`,
    );
  }
  const unseen = block.video ? 'video' : block.audio ? 'audio' : undefined;
  if (unseen) {
    throw refuse(`This model doesn't support the ${unseen} content block that you provided.`);
  }
  const thought = block.reasoningContent?.reasoningText;
  if (thought && thought.signature !== signReasoning(thought.text)) {
    throw refuse(`${at}: Invalid \`signature\` in \`thinking\` block`);
  }
}

function checkTools({ messages, toolConfig }: ConverseRequest): void {
  const usesTools = messages.some(({ content }) =>
    content.some(({ toolUse, toolResult }) => toolUse ?? toolResult),
  );
  if (usesTools && !toolConfig) {
    throw refuse(
      'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    );
  }
  const chosen = toolConfig?.toolChoice?.tool?.name;
  if (chosen && !toolConfig.tools.some(({ toolSpec }) => toolSpec?.name === chosen)) {
    throw refuse(`The toolChoice names the tool ${chosen}, which is not in toolConfig.tools.`);
  }
  messages.forEach((message, index) => checkToolTurn(message, messages[index - 1], index));
}

function checkToolTurn(message: Message, previous: Message | undefined, at: number): void {
  const asked = previous?.content.flatMap(({ toolUse }) => toolUse?.toolUseId ?? []) ?? [];
  const answered = message.content.flatMap(({ toolResult }) => toolResult?.toolUseId ?? []);
  if (answered.length > asked.length) {
    throw refuse(
      `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
    );
  }
  const missing = asked.filter((id) => !answered.includes(id));
  if (message.role === 'user' && missing.length > 0) {
    throw refuse(
      `Expected toolResult blocks at messages.${at}.content for the following Ids: ${missing.join(', ')}`,
    );
  }
}

function checkInference({ inferenceConfig }: ConverseRequest, model: Model): void {
  const { maxTokens, temperature, topP } = inferenceConfig;
  if (maxTokens !== undefined && maxTokens > model.maxOutputTokens) {
    throw refuse(
      `The maximum tokens you requested exceeds the model limit of ${model.maxOutputTokens}. ` +
        `Try again with a maximum tokens value that is lower than ${model.maxOutputTokens}.`,
    );
  }
  if (temperature !== undefined && topP !== undefined && !model.temperatureWithTopP) {
    throw refuse(
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    );
  }
}

function checkThinking(request: ConverseRequest, model: Model): void {
  const thinking = request.additionalModelRequestFields?.thinking;
  if (!thinking || thinking.type === 'disabled') return;
  if (!model.thinking.includes(thinking.type)) {
    throw refuse(`"thinking.type.${thinking.type}" is not supported for this model.`);
  }
  if (thinking.type === 'enabled' && thinking.budget_tokens >= effectiveMaxTokens(request, model)) {
    throw refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  const { temperature } = request.inferenceConfig;
  if (temperature !== undefined && temperature !== 1) {
    throw refuse('`temperature` may only be set to 1 when thinking is enabled.');
  }
  const choice = request.toolConfig?.toolChoice;
  if (choice?.any ?? choice?.tool) {
    throw refuse('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

function checkOutputSchema({ outputConfig }: ConverseRequest): void {
  const schema = outputConfig?.textFormat?.structure.jsonSchema.schema;
  if (schema === undefined) return;
  try {
    JSON.parse(schema);
  } catch {
    throw refuse('outputConfig.textFormat.structure.jsonSchema.schema is not valid JSON.');
  }
}

function refuse(message: string): AwsError {
  return new AwsError('ValidationException', message);
}
