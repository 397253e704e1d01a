import fc from 'fast-check';

import type {
  ContentBlock,
  ModelMessage,
  ModelRequest,
  SystemBlock,
  Tool,
  ToolOffer,
} from '../../../core/model-request';

const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => /\S/.test(text));

const text: fc.Arbitrary<ContentBlock> = words.map((it) => ({ type: 'text', text: it }));

/** The start of an image of some size, as far as anybody looks; the pixels are noise. */
const IMAGE_HEADS = {
  png: Buffer.from('89504e470d0a1a0a0000000d494844520000004000000020', 'hex'),
  gif: Buffer.from('47494638396140002000', 'hex'),
};

const image: fc.Arbitrary<ContentBlock> = fc
  .record({ format: fc.constantFrom('png', 'gif'), noise: fc.uint8Array({ maxLength: 200 }) })
  .map(({ format, noise }) => ({
    type: 'image',
    format,
    base64: Buffer.concat([IMAGE_HEADS[format], noise]).toString('base64'),
  }));

const cachePoint = fc
  .constantFrom('5m', '1h')
  .map((ttl) => ({ type: 'cache-point', ttl }) as const);

const toolName = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,20}$/);

const schema = fc
  .dictionary(toolName, fc.constantFrom('string', 'number', 'boolean'), { maxKeys: 3 })
  .map((types) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
  }));

const tool: fc.Arbitrary<Tool> = fc.record(
  { name: toolName, description: words, inputSchema: schema },
  { requiredKeys: ['name', 'inputSchema'] },
);

/** A call of a tool and its result, with words around them. */
const toolTurns = (names: readonly string[]): fc.Arbitrary<ModelMessage[]> =>
  fc
    .record({
      id: fc.stringMatching(/^toolu_[a-z0-9]{8}$/),
      name: fc.constantFrom(...names),
      input: fc.dictionary(toolName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      before: fc.array(text, { maxLength: 1 }),
      result: words,
      failed: fc.boolean(),
      after: fc.array(text, { maxLength: 1 }),
    })
    .map(({ id, name, input, before, result, failed, after }) => [
      { role: 'assistant', content: [...before, { type: 'tool-use', id, name, input }] },
      { role: 'user', content: [{ type: 'tool-result', id, text: result, failed }, ...after] },
    ]);

const plainTurns: fc.Arbitrary<ModelMessage[]> = fc
  .record({ said: text, asked: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }) })
  .map(({ said, asked }) => [
    { role: 'assistant', content: [said] },
    { role: 'user', content: asked },
  ]);

const opening: fc.Arbitrary<ModelMessage> = fc
  .record({ blocks: fc.array(fc.oneof(text, image), { maxLength: 2 }), asked: text })
  .map(({ blocks, asked }) => ({ role: 'user', content: [...blocks, asked] }));

function offerOf(tools: readonly Tool[]): fc.Arbitrary<ToolOffer | undefined> {
  const [first] = tools;
  if (!first) return fc.constant(undefined);
  return fc
    .constantFrom('auto' as const, 'any' as const, { name: first.name })
    .map((choice) => ({ tools, choice }));
}

function messagesFor(tools: readonly Tool[]): fc.Arbitrary<ModelMessage[]> {
  const names = tools.map(({ name }) => name);
  const turns = names.length > 0 ? fc.oneof(plainTurns, toolTurns(names)) : plainTurns;
  return fc
    .record({
      opening,
      turns: fc.array(turns, { maxLength: 3 }),
      cached: fc.option(cachePoint, { nil: undefined }),
    })
    .map((it) => withCachePoint([it.opening, ...it.turns.flat()], it.cached));
}

function withCachePoint(
  messages: readonly ModelMessage[],
  point: ContentBlock | undefined,
): ModelMessage[] {
  return messages.map((message, at) =>
    point && at === messages.length - 1
      ? { ...message, content: [...message.content, point] }
      : message,
  );
}

const system: fc.Arbitrary<SystemBlock[]> = fc
  .record({ said: fc.array(words, { maxLength: 2 }), cached: fc.option(cachePoint) })
  .map(({ said, cached }) => [
    ...said.map((it) => ({ type: 'text', text: it }) as const),
    ...(cached && said.length > 0 ? [cached] : []),
  ]);

const sampling = fc.oneof(
  fc.constant({}),
  fc
    .float({ min: 0, max: 1, noNaN: true })
    .map((temperature) => ({ temperature: temperature + 0 })),
  fc.float({ min: 0, max: 1, noNaN: true }).map((topP) => ({ topP: topP + 0 })),
);

/** Requests that Bedrock takes as they are, with tools, images, cache points and the rest. */
export const conversation: fc.Arbitrary<ModelRequest> = fc
  .uniqueArray(tool, { maxLength: 3, selector: ({ name }) => name.toLowerCase() })
  .chain((tools) =>
    fc.record({
      system,
      messages: messagesFor(tools),
      tools: offerOf(tools),
      sampling,
      maxTokens: fc.integer({ min: 1, max: 60 }),
      stopSequences: fc.option(fc.array(words, { minLength: 1, maxLength: 2 }), { nil: undefined }),
      serviceTier: fc.constantFrom(undefined, 'priority' as const, 'flex' as const),
    }),
  )
  .map(({ sampling: sampled, tools, stopSequences, serviceTier, ...rest }) => ({
    model: 'simple',
    ...rest,
    ...sampled,
    ...(tools && { tools }),
    ...(stopSequences && { stopSequences }),
    ...(serviceTier && { serviceTier }),
  }));
