import {
  BedrockClient,
  CreateProvisionedModelThroughputCommand,
  DeleteProvisionedModelThroughputCommand,
  GetFoundationModelCommand,
  GetInferenceProfileCommand,
  GetProvisionedModelThroughputCommand,
  ListFoundationModelsCommand,
  ListGuardrailsCommand,
  ListInferenceProfilesCommand,
  ListProvisionedModelThroughputsCommand,
  UpdateProvisionedModelThroughputCommand,
} from '@aws-sdk/client-bedrock';
import type {
  CreateProvisionedModelThroughputCommandInput,
  ListProvisionedModelThroughputsCommandInput,
} from '@aws-sdk/client-bedrock';
import { MODEL_CATALOGUE } from '@matsuri/contract';

import { manualClock } from '../clock/manual-clock';
import type { ManualClock } from '../clock/manual-clock';
import { startProvisionedThroughputStandIn } from './start-provisioned-throughput';
import type { ProvisionedThroughputStandIn } from './start-provisioned-throughput';

const START = Date.UTC(2026, 10, 26, 12);
const MINUTE_MS = 60_000;
const SONNET = 'anthropic.claude-sonnet-5';
const OLD = 'amazon.nova-old-v1:0';

let clock: ManualClock;
let standIn: ProvisionedThroughputStandIn;
let client: BedrockClient;

beforeEach(async () => {
  clock = manualClock(START);
  const [sonnet] = Object.values(MODEL_CATALOGUE.models);
  if (sonnet === undefined) throw new Error('the catalogue is empty');
  standIn = await startProvisionedThroughputStandIn({
    clock,
    catalogue: {
      models: {
        ...MODEL_CATALOGUE.models,
        old: {
          ...sonnet,
          bedrockId: OLD,
          lifecycle: { legacyOn: '2026-12-01', endOfLifeOn: '2027-06-01' },
        },
      },
      profiles: MODEL_CATALOGUE.profiles,
    },
    modelUnitQuotas: { [SONNET]: 30, [OLD]: 30 },
    dollarsPerUnitHour: ({ commitment }) => (commitment === undefined ? 40 : 25),
  });
  client = new BedrockClient({
    endpoint: standIn.url,
    region: 'ap-northeast-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterEach(async () => {
  client.destroy();
  await standIn.close();
});

async function buy(input: Partial<CreateProvisionedModelThroughputCommandInput> = {}) {
  const { provisionedModelArn = '' } = await client.send(
    new CreateProvisionedModelThroughputCommand({
      provisionedModelName: 'event-night',
      modelId: SONNET,
      modelUnits: 5,
      ...input,
    }),
  );
  return provisionedModelArn;
}

const get = (provisionedModelId: string) =>
  client.send(new GetProvisionedModelThroughputCommand({ provisionedModelId }));
const remove = (provisionedModelId: string) =>
  client.send(new DeleteProvisionedModelThroughputCommand({ provisionedModelId }));

test('a purchase serves after a quarter of an hour, and is billed by the hour until deleted', async () => {
  const arn = await buy();
  expect(await get(arn)).toMatchObject({
    status: 'Creating',
    modelUnits: 5,
    desiredModelUnits: 5,
    creationTime: new Date(START),
  });
  await clock.advance(15 * MINUTE_MS);
  expect(await get('event-night')).toMatchObject({ status: 'InService' });
  expect(standIn.dollarsPerHour()).toBe(200);

  await clock.advance(61 * MINUTE_MS);
  await remove(arn);
  await clock.advance(600 * MINUTE_MS);
  expect([standIn.dollarsSoFar(), standIn.dollarsPerHour()]).toEqual([400, 0]);
  await expect(get(arn)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('the same token buys once, even when the answer was lost', async () => {
  standIn.faults.inject('CreateProvisionedModelThroughput', { kind: 'reset-after-success' });
  await expect(buy({ clientRequestToken: 'epoch-3' })).rejects.toThrow();
  await buy({ clientRequestToken: 'epoch-3' });
  await buy({ clientRequestToken: 'epoch-3', provisionedModelName: 'other' });

  expect(standIn.throughputs().map(({ name }) => name)).toEqual(['event-night']);
});

test('without a quota nothing can be bought, and a quota holds over all purchases', async () => {
  await expect(buy({ modelId: 'anthropic.claude-haiku-4-5-20251001-v1:0' })).rejects.toMatchObject({
    name: 'ServiceQuotaExceededException',
  });
  await buy({ modelUnits: 28 });
  await expect(buy({ provisionedModelName: 'more', modelUnits: 3 })).rejects.toMatchObject({
    name: 'ServiceQuotaExceededException',
  });
  standIn.grant(SONNET, 31);
  await buy({ provisionedModelName: 'more', modelUnits: 3 });
});

test('a commitment holds for its term', async () => {
  const arn = await buy({ commitmentDuration: 'OneMonth' });
  await clock.advance(15 * MINUTE_MS);
  expect(await get(arn)).toMatchObject({
    commitmentDuration: 'OneMonth',
    commitmentExpirationTime: new Date(Date.UTC(2026, 11, 26, 12)),
  });
  await expect(remove(arn)).rejects.toMatchObject({ name: 'ConflictException' });
  await clock.advance(30 * 24 * 60 * MINUTE_MS);
  await remove(arn);
});

test('a purchase can fail at the end, costing nothing', async () => {
  standIn.failNext('Insufficient capacity');
  const arn = await buy();
  await clock.advance(15 * MINUTE_MS);
  expect(await get(arn)).toMatchObject({
    status: 'Failed',
    failureMessage: 'Insufficient capacity',
  });
  await clock.advance(600 * MINUTE_MS);
  expect(standIn.dollarsSoFar()).toBe(0);
  await remove(arn);
});

test('a name can be changed, units never, nor the model of a base model', async () => {
  const arn = await buy();
  await clock.advance(15 * MINUTE_MS);
  await client.send(
    new UpdateProvisionedModelThroughputCommand({
      provisionedModelId: arn,
      desiredProvisionedModelName: 'after-party',
    }),
  );
  expect(await get('after-party')).toMatchObject({ status: 'Updating', modelUnits: 5 });
  await clock.advance(MINUTE_MS);
  expect(await get('after-party')).toMatchObject({ status: 'InService' });
  await expect(
    client.send(
      new UpdateProvisionedModelThroughputCommand({
        provisionedModelId: arn,
        desiredModelId: OLD,
      }),
    ),
  ).rejects.toMatchObject({ name: 'ValidationException' });
});

test('lists filter, sort and page', async () => {
  for (const [i, name] of ['a-1', 'a-2', 'b-1'].entries()) {
    await buy({ provisionedModelName: name });
    await clock.advance((i + 1) * MINUTE_MS);
  }
  await clock.advance(13 * MINUTE_MS);
  const list = async (input: ListProvisionedModelThroughputsCommandInput) => {
    const { provisionedModelSummaries = [], nextToken } = await client.send(
      new ListProvisionedModelThroughputsCommand(input),
    );
    return { names: provisionedModelSummaries.map((each) => each.provisionedModelName), nextToken };
  };

  expect((await list({ nameContains: 'a-' })).names).toEqual(['a-2', 'a-1']);
  expect((await list({ statusEquals: 'Creating' })).names).toEqual([]);
  expect((await list({ creationTimeAfter: new Date(START + 1) })).names).toEqual(['b-1', 'a-2']);
  const first = await list({ maxResults: 2, sortOrder: 'Ascending' });
  const second = await list({
    maxResults: 2,
    sortOrder: 'Ascending',
    ...(first.nextToken === undefined ? {} : { nextToken: first.nextToken }),
  });
  expect([first.names, second.names]).toEqual([['a-1', 'a-2'], ['b-1']]);
});

test('a watcher hears of purchase, service and deletion', async () => {
  const heard: number[] = [];
  standIn.onChange(() => heard.push(standIn.inService().length));
  const arn = await buy();
  await clock.advance(15 * MINUTE_MS);
  await remove(arn);
  expect(heard).toEqual([0, 1, 0]);
});

test('models tell their lifecycle, and a legacy one cannot be bought', async () => {
  const lifecycle = async () => {
    const { modelDetails } = await client.send(
      new GetFoundationModelCommand({ modelIdentifier: OLD }),
    );
    return modelDetails?.modelLifecycle;
  };
  expect(await lifecycle()).toMatchObject({ status: 'ACTIVE' });
  await clock.advance(5 * 24 * 60 * MINUTE_MS);
  expect(await lifecycle()).toMatchObject({
    status: 'LEGACY',
    endOfLifeTime: new Date('2027-06-01'),
  });
  await expect(buy({ modelId: OLD })).rejects.toThrow(/legacy/);
  await expect(buy({ modelId: 'nobody.nothing' })).rejects.toMatchObject({
    name: 'ValidationException',
  });
});

test('models and inference profiles are those of the catalogue', async () => {
  const { modelSummaries = [] } = await client.send(new ListFoundationModelsCommand({}));
  const { inferenceProfileSummaries = [] } = await client.send(
    new ListInferenceProfilesCommand({}),
  );
  const profile = await client.send(
    new GetInferenceProfileCommand({ inferenceProfileIdentifier: `jp.${SONNET}` }),
  );

  expect(modelSummaries.map(({ modelId }) => modelId)).toContain(SONNET);
  expect(inferenceProfileSummaries).toHaveLength(Object.keys(MODEL_CATALOGUE.profiles).length);
  expect(profile.models?.[0]?.modelArn).toMatch(new RegExp(`foundation-model/${SONNET}$`));
});

test('a call the stand-in does not know names itself', async () => {
  await expect(client.send(new ListGuardrailsCommand({}))).rejects.toThrow(
    /GET \/guardrails is not supported/,
  );
});
