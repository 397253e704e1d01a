import { InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { z } from 'zod';

import { cosineSimilarity } from './core/embedding';
import { startBedrockStandIn } from './stand-in';
import type { BedrockStandIn } from './stand-in';
import { COHERE, PROTOCOLS, sdkClient, TITAN } from './test/sdk-clients';
import type { Protocol } from './test/sdk-clients';

let standIn: BedrockStandIn;
beforeAll(async () => {
  standIn = await startBedrockStandIn({ pacing: 'instant' });
});
beforeEach(() => standIn.reset());
afterAll(() => standIn.close());

async function invoke(
  modelId: string,
  body: object,
  protocol: Protocol = 'HTTP/1.1',
): Promise<unknown> {
  const command = new InvokeModelCommand({
    modelId,
    contentType: 'application/json',
    body: JSON.stringify(body),
  });
  const { body: answer } = await sdkClient(standIn.url, { protocol }).send(command);
  return JSON.parse(answer.transformToString());
}

const titanAnswer = z.object({
  embedding: z.array(z.number()),
  embeddingsByType: z.object({ float: z.array(z.number()) }),
  inputTextTokenCount: z.number(),
});

test.each(PROTOCOLS)('Titan embeds over %s, and says what it counted', async (protocol) => {
  const answer = titanAnswer.parse(await invoke(TITAN, { inputText: '静かな物語' }, protocol));

  expect(answer.embedding).toHaveLength(1_024);
  expect(answer.embeddingsByType.float).toEqual(answer.embedding);
  expect(answer.inputTextTokenCount).toBe(5);
  expect(standIn.ledger()).toMatchObject([
    { operation: 'InvokeModel', inputTokens: 5, tokensEmitted: 0, outcome: 'finished' },
  ]);
});

test('Titan takes a shorter length and bits', async () => {
  const answer = z
    .object({ embeddingsByType: z.object({ binary: z.array(z.number()) }) })
    .parse(await invoke(TITAN, { inputText: 'a', dimensions: 256, embeddingTypes: ['binary'] }));
  expect(answer.embeddingsByType.binary).toHaveLength(256);
});

test('Cohere embeds many texts at once, near ones near', async () => {
  const texts = ['冒険の漫画', '冒険まんが', '返品と送料'];
  const answer = z
    .object({
      response_type: z.literal('embeddings_floats'),
      embeddings: z.array(z.array(z.number())),
    })
    .parse(await invoke(COHERE, { texts, input_type: 'search_document' }));
  const [first = [], second = [], third = []] = answer.embeddings;

  expect(cosineSimilarity(first, second)).toBeGreaterThan(cosineSimilarity(first, third));
});

test('Cohere quantises by type', async () => {
  const bytes = z.array(z.array(z.int().min(-128).max(255)));
  const answer = z.object({ embeddings: z.object({ int8: bytes, ubinary: bytes }) }).parse(
    await invoke(COHERE, {
      texts: ['a'],
      input_type: 'search_query',
      embedding_types: ['int8', 'ubinary'],
    }),
  );
  expect(answer.embeddings.int8[0]).toHaveLength(1_024);
  expect(answer.embeddings.ubinary[0]).toHaveLength(128);
});
