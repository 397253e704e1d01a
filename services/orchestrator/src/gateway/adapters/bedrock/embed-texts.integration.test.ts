import { embedText, startBedrockStandIn } from '@matsuri/local';
import type { BedrockStandIn } from '@matsuri/local';

import type { BedrockCaller } from './bedrock-caller';
import { callerAt, TITAN } from './test/calls';
import { eventually } from './test/eventually';

const OPTIONS = { attemptId: 'embedding', signal: new AbortController().signal };

let bedrock: BedrockStandIn;
let caller: BedrockCaller;

beforeAll(async () => {
  bedrock = await startBedrockStandIn({ pacing: 'instant' });
  caller = callerAt(bedrock.url);
});

afterAll(async () => {
  await caller.close();
  await bedrock.close();
});

test('every text gets its own vector, in order, and the tokens add up', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `第${at}巻 of a calm story`);
  const { vectors, inputTokens } = await caller.embed(TITAN, texts, OPTIONS);
  expect(vectors).toEqual(texts.map((text) => embedText(text, 1_024)));
  expect(inputTokens).toBe(bedrock.ledger().reduce((sum, entry) => sum + entry.inputTokens, 0));
});

test('no text is no call', async () => {
  bedrock.reset();
  await expect(caller.embed(TITAN, [], OPTIONS)).resolves.toEqual({ vectors: [], inputTokens: 0 });
  expect(bedrock.ledger()).toEqual([]);
});

test('one refused text fails all, and ends the calls that still run', async () => {
  bedrock.reset();
  const hanging = { script: { name: 'hang-before-headers' }, times: 5 } as const;
  bedrock.script({ ...hanging, when: { promptContains: 'good' } });
  const texts = ['good one', 'good two', ' bad '.repeat(9_000), 'good three'];
  await expect(caller.embed(TITAN, texts, OPTIONS)).rejects.toMatchObject({
    failure: 'invalid-request',
  });
  await eventually(
    () => bedrock.overlap().running,
    (running) => running === 0,
  );
});
