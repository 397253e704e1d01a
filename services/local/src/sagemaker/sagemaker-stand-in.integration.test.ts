import {
  InvokeEndpointAsyncCommand,
  InvokeEndpointCommand,
  InvokeEndpointWithResponseStreamCommand,
  SageMakerRuntimeClient,
} from '@aws-sdk/client-sagemaker-runtime';
import { INTENTS } from '@matsuri/contract';
import { z } from 'zod';

import { INTENT_ENDPOINT, startSageMakerStandIn } from './sagemaker-stand-in';
import type { SageMakerStandIn } from './sagemaker-stand-in';

let standIn: SageMakerStandIn;
let client: SageMakerRuntimeClient;

beforeAll(async () => {
  standIn = await startSageMakerStandIn({ latencyMs: 0 });
  client = new SageMakerRuntimeClient({
    region: 'ap-northeast-1',
    endpoint: standIn.url,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example' },
    maxAttempts: 1,
  });
});
afterEach(() => standIn.conduct.clear());
afterAll(async () => {
  client.destroy();
  await standIn.close();
});

const answer = z.object({
  label: z.enum(INTENTS),
  score: z.number(),
  scores: z.record(z.enum(INTENTS), z.number()),
});

const ask = (text: string) =>
  new InvokeEndpointCommand({
    EndpointName: INTENT_ENDPOINT,
    ContentType: 'application/json',
    Accept: 'application/json',
    Body: JSON.stringify({ text }),
  });

const decode = (body: Uint8Array) => answer.parse(JSON.parse(new TextDecoder().decode(body)));

test('the unmodified client gets a label and a score for every intent', async () => {
  const output = await client.send(ask('注文した荷物はまだ届きませんか'));
  const { label, score, scores } = decode(output.Body);

  expect(output.ContentType).toBe('application/json');
  expect(output.InvokedProductionVariant).toBe('AllTraffic');
  expect(label).toBe('order_status');
  expect(scores[label]).toBe(score);
});

test('plain text is read as well as JSON', async () => {
  const output = await client.send(
    new InvokeEndpointCommand({
      EndpointName: INTENT_ENDPOINT,
      ContentType: 'text/plain; charset=utf-8',
      Body: 'add this to my wishlist',
    }),
  );
  expect(decode(output.Body).label).toBe('wishlist');
});

test('an endpoint that does not exist is a ValidationError', async () => {
  const command = new InvokeEndpointCommand({ EndpointName: 'nowhere', Body: '{}' });
  await expect(client.send(command)).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('nowhere') as string,
    $metadata: { httpStatusCode: 400 },
  });
});

test.each([
  ['not JSON', 'application/json', 400],
  ['{"words": "…"}', 'application/json', 400],
  ['<text/>', 'application/xml', 415],
])('the model refuses the body %s as %s', async (body, contentType, originalStatus) => {
  const command = new InvokeEndpointCommand({
    EndpointName: INTENT_ENDPOINT,
    ContentType: contentType,
    Body: body,
  });
  await expect(client.send(command)).rejects.toMatchObject({
    name: 'ModelError',
    OriginalStatusCode: originalStatus,
    $metadata: { httpStatusCode: 424 },
  });
});

test.each([
  ['throttle', 'ThrottlingException', 400],
  ['model-error', 'ModelError', 424],
  ['model-timeout', 'ModelError', 424],
  ['model-not-ready', 'ModelNotReadyException', 429],
  ['internal-error', 'InternalFailure', 500],
  ['service-unavailable', 'ServiceUnavailable', 503],
])('told to %s, it answers %s once', async (script, name, httpStatusCode) => {
  standIn.conduct.inject(script);
  await expect(client.send(ask('hi'))).rejects.toMatchObject({
    name,
    $metadata: { httpStatusCode },
  });
  await expect(client.send(ask('hi'))).resolves.toBeDefined();
});

test('a hanging endpoint is left by the caller, and serves the next call', async () => {
  standIn.conduct.inject('hang');
  await expect(
    client.send(ask('hi'), { abortSignal: AbortSignal.timeout(50) }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  await expect(client.send(ask('hi'))).resolves.toBeDefined();
});

test('a cut connection and half an answer reach the caller as such', async () => {
  standIn.conduct.inject('reset');
  await expect(client.send(ask('hi'))).rejects.toThrow(/socket|ECONNRESET/i);
  standIn.conduct.inject('invalid-json');
  const { Body } = await client.send(ask('hi'));
  expect(() => decode(Body)).toThrow(SyntaxError);
});

test('operations it does not serve are refused by name', async () => {
  const refused = { name: 'UnknownOperationException', $metadata: { httpStatusCode: 404 } };
  await expect(
    client.send(
      new InvokeEndpointAsyncCommand({ EndpointName: INTENT_ENDPOINT, InputLocation: 's3://b/k' }),
    ),
  ).rejects.toMatchObject(refused);
  await expect(
    client.send(
      new InvokeEndpointWithResponseStreamCommand({ EndpointName: INTENT_ENDPOINT, Body: '{}' }),
    ),
  ).rejects.toMatchObject(refused);
});

test('an unsigned call is refused', async () => {
  const response = await fetch(`${standIn.url}/endpoints/${INTENT_ENDPOINT}/invocations`, {
    method: 'POST',
  });
  expect(response.status).toBe(403);
  expect(response.headers.get('x-amzn-errortype')).toBe('MissingAuthenticationTokenException');
});

test('conduct can be read and changed over HTTP', async () => {
  const post = (path: string, body: object) =>
    fetch(`${standIn.url}/_standin/${path}`, { method: 'POST', body: JSON.stringify(body) });

  expect((await post('scripts', { script: 'throttle', times: 2 })).status).toBe(200);
  await expect(client.send(ask('hi'))).rejects.toThrow('Rate exceeded');
  expect((await post('conduct', { failureRate: 7 })).status).toBe(400);
  expect((await post('conduct', { script: 'internal-error' })).status).toBe(200);
  await expect(client.send(ask('hi'))).rejects.toThrow('Rate exceeded');
  await expect(client.send(ask('hi'))).rejects.toMatchObject({ name: 'InternalFailure' });

  await fetch(`${standIn.url}/_standin`, { method: 'DELETE' });
  await expect(client.send(ask('hi'))).resolves.toBeDefined();
});
