import { PATHS } from '@matsuri/contract';
import { setAppStage, type AppStage } from './app-stage';
import {
  apiDocumentShape,
  operationsOf,
  refsOf,
  sampleRequest,
  type ApiDocument,
} from './api-document';
import { aToken } from './token-store-contract';

let stage: AppStage;
let served: unknown;
let document: ApiDocument;

beforeEach(async () => {
  stage = setAppStage();
  served = await (await stage.ask(PATHS.openapi)).json();
  document = apiDocumentShape.parse(served);
});

test('everyone may read the reference, and it states the timeout chain', () => {
  expect(document.info.description).toContain('Stream long answers');
  expect(document['x-timeout-chain'].find(({ name }) => name === 'chunk_gap')?.limit_ms).toBe(
    300_000,
  );
});

test('it says why there is no CSRF protection', () => {
  expect(document.info.description).toContain('no CSRF tokens');
});

test('it holds the routes of tokens and usage', () => {
  const routes = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
  expect(routes.toSorted()).toEqual([
    'GET /v1/tokens',
    'GET /v1/tokens/{id}',
    'GET /v1/tokens/{id}/spend',
    'GET /v1/usage',
    'POST /v1/tokens',
    'POST /v1/tokens/{id}/revoke',
    'POST /v1/tokens/{id}/rotate',
  ]);
});

test('every reference leads somewhere', () => {
  const refs = refsOf(served);
  expect(refs.length).toBeGreaterThan(0);
  for (const ref of refs) {
    const [root, section, kind, name = ''] = ref.split('/');
    expect([root, section, kind]).toEqual(['#', 'components', 'schemas']);
    expect(document.components.schemas).toHaveProperty([name]);
  }
});

test('every operation has a name of its own, and every hole in a path a parameter', () => {
  const operations = operationsOf(document);
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, parameters } of operations) {
    const holes = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = parameters.filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(holes);
    expect(declared.every(({ required }) => required)).toBe(true);
  }
});

test('every operation asks for the credential the document defines', () => {
  const known = Object.keys(document.components.securitySchemes);
  for (const { security } of operationsOf(document)) {
    expect(security.flatMap((scheme) => Object.keys(scheme))).toEqual(known);
  }
});

test('every refusal is documented in the one shape', () => {
  for (const { responses, path, requestBody } of operationsOf(document)) {
    const expected = ['400', '401', '429', '500', '503'];
    if (path.includes('{id}')) expected.push('404');
    if (requestBody) expected.push('408', '413', '415');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    for (const [, { content }] of refusals) {
      expect(Object.keys(content)).toEqual(['application/problem+json']);
    }
  }
});

test('every schema that takes something refuses what it does not know', () => {
  for (const { requestBody } of operationsOf(document)) {
    for (const ref of refsOf(requestBody)) {
      const schema = document.components.schemas[ref.split('/').at(-1) ?? ''];
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  }
});

test('every route answers as documented', async () => {
  for (const operation of operationsOf(document)) {
    const { token } = await stage.tokens.create(aToken({ tenantId: 'acme' }));
    const { method, url, body } = sampleRequest(document, operation, {
      id: token.id,
      tenant: 'acme',
    });
    const response = await stage.call(method, url, body);
    const { operationId, responses } = operation;
    const fine = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect([operationId, fine]).toEqual([
      operationId,
      expect.arrayContaining([String(response.status)]),
    ]);
  }
});

test('no route lets anyone in without the credential', async () => {
  for (const operation of operationsOf(document)) {
    const { method, url } = sampleRequest(document, operation, { id: 'x', tenant: 'acme' });
    expect((await stage.ask(url, { method })).status).toBe(401);
  }
});
