import {
  BedrockClient,
  CreateProvisionedModelThroughputCommand,
  type CommitmentDuration,
} from '@aws-sdk/client-bedrock';
import { listenOnLoopback, manualClock, startProvisionedThroughputStandIn } from '@matsuri/local';
import type { Listening, ManualClock, ProvisionedThroughputStandIn } from '@matsuri/local';

import type { handler as Handler } from './release-throughput';

interface Answer {
  readonly contentType: string | undefined;
  readonly body: Readonly<Record<string, string>>;
}

const PREFIX = 'manga-dev-';
const MODEL = 'anthropic.claude-haiku-4-5-20251001-v1:0';
const HOUR_MS = 3_600_000;
const ENOUGH_TIME = { getRemainingTimeInMillis: () => 600_000 };
const before = { ...process.env };

let clock: ManualClock;
let bedrock: ProvisionedThroughputStandIn;
let cloudFormation: Listening;
let answers: Answer[];
let status: number;
let client: BedrockClient;

beforeEach(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  clock = manualClock(Date.now());
  bedrock = await startProvisionedThroughputStandIn({ clock, modelUnitQuotas: { [MODEL]: 500 } });
  answers = [];
  status = 200;
  cloudFormation = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Answer['body'];
      answers.push({ contentType: request.headers['content-type'], body });
      response.statusCode = status;
      response.end();
    });
  });
  Object.assign(process.env, {
    AWS_REGION: 'ap-northeast-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_BEDROCK: bedrock.url,
    NAME_PREFIX: PREFIX,
    POLL_MS: '10',
  });
  client = new BedrockClient();
});

afterEach(async () => {
  client.destroy();
  await Promise.all([bedrock.close(), cloudFormation.close()]);
  process.env = { ...before };
  jest.restoreAllMocks();
});

async function release(
  RequestType: 'Create' | 'Update' | 'Delete',
  invocation = ENOUGH_TIME,
): Promise<void> {
  jest.resetModules();
  const { handler }: { handler: typeof Handler } = await import('./release-throughput');
  await handler(
    {
      RequestType,
      ResponseURL: cloudFormation.url,
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Purchases',
      ...(RequestType !== 'Create' && { PhysicalResourceId: 'given-before' }),
    },
    invocation,
  );
}

async function buy(name: string, commitmentDuration?: CommitmentDuration): Promise<void> {
  const bought = { provisionedModelName: name, modelId: MODEL, modelUnits: 1, commitmentDuration };
  await client.send(new CreateProvisionedModelThroughputCommand(bought));
}

const left = (): string[] => bedrock.throughputs().map(({ name }) => name);

test.each([
  { request: 'Create', id: 'throughput' },
  { request: 'Update', id: 'given-before' },
] as const)('$request buys nothing, gives nothing back and says so', async ({ request, id }) => {
  await buy(`${PREFIX}one`);
  await clock.advance(HOUR_MS);
  await release(request);
  expect(left()).toEqual([`${PREFIX}one`]);
  // S3 refuses an answer with a content type: the address is signed for none.
  expect(answers).toEqual([
    {
      contentType: '',
      body: {
        Status: 'SUCCESS',
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'Purchases',
        PhysicalResourceId: id,
      },
    },
  ]);
});

test('Delete where nothing was ever bought succeeds, twice too', async () => {
  await release('Delete');
  await release('Delete');
  expect(answers.map(({ body }) => body['Status'])).toEqual(['SUCCESS', 'SUCCESS']);
});

test('Delete gives back ours alone, however many pages they fill', async () => {
  for (let i = 0; i < 230; i += 1) await buy(`${PREFIX}${i}`);
  await buy('manga-prod-1');
  await buy(`other-${PREFIX}1`);
  await clock.advance(HOUR_MS);
  await release('Delete');
  expect(left()).toEqual([`other-${PREFIX}1`, 'manga-prod-1']);
  expect(answers).toMatchObject([{ body: { Status: 'SUCCESS' } }]);
});

test('what is committed is kept and named; the rest goes', async () => {
  await buy(`${PREFIX}committed`, 'OneMonth');
  await buy(`${PREFIX}free`);
  await clock.advance(HOUR_MS);
  await release('Delete');
  expect(left()).toEqual([`${PREFIX}committed`]);
  expect(console.warn).toHaveBeenCalledTimes(1);
  expect(answers).toMatchObject([{ body: { Status: 'SUCCESS' } }]);
});

test('what is still being made is waited for', async () => {
  await buy(`${PREFIX}new`);
  const invocation = {
    getRemainingTimeInMillis: () => {
      void clock.advance(HOUR_MS);
      return 600_000;
    },
  };
  await release('Delete', invocation);
  expect(left()).toEqual([]);
  expect(answers).toMatchObject([{ body: { Status: 'SUCCESS' } }]);
});

test('what is being made for too long is named in a failure, in time', async () => {
  await buy(`${PREFIX}new`);
  await release('Delete', { getRemainingTimeInMillis: () => 20_000 });
  expect(answers).toMatchObject([{ body: { Status: 'FAILED' } }]);
  expect(answers[0]?.body['Reason']).toContain(`${PREFIX}new`);
});

test('one that is refused does not keep the others, and fails at once', async () => {
  await buy(`${PREFIX}1`);
  await buy(`${PREFIX}2`);
  await clock.advance(HOUR_MS);
  const refusal = { kind: 'error', code: 'AccessDeniedException', status: 403 } as const;
  bedrock.faults.inject('DeleteProvisionedModelThroughput', refusal);
  await release('Delete');
  expect(left()).toHaveLength(1);
  expect(answers).toMatchObject([{ body: { Status: 'FAILED' } }]);
  expect(answers[0]?.body['Reason']).toContain('AccessDenied');
});

test('one that somebody else deleted meanwhile is gone, which is what was wanted', async () => {
  await buy(`${PREFIX}1`);
  await clock.advance(HOUR_MS);
  const gone = { kind: 'error', code: 'ResourceNotFoundException', status: 404 } as const;
  bedrock.faults.inject('DeleteProvisionedModelThroughput', gone);
  await release('Delete');
  expect(answers).toMatchObject([{ body: { Status: 'SUCCESS' } }]);
});

test('without a prefix nothing is deleted, and an answer is given', async () => {
  await buy('of-somebody-else');
  await clock.advance(HOUR_MS);
  process.env['NAME_PREFIX'] = '';
  await release('Delete');
  expect(left()).toEqual(['of-somebody-else']);
  expect(answers).toMatchObject([{ body: { Status: 'FAILED' } }]);
});

test('an answer that was not taken fails the function, so that Lambda calls again', async () => {
  status = 403;
  await expect(release('Create')).rejects.toThrow('did not take the answer: 403');
  // Not followed by a second, contradicting one.
  expect(answers).toHaveLength(1);
});
