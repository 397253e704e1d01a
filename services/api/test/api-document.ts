import { z } from 'zod';

const schemaShape = z.looseObject({});

const parameterShape = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  schema: schemaShape,
});

const mediaShape = z.record(z.string(), z.object({ schema: schemaShape }));

const responseShape = z.object({ description: z.string().min(1), content: mediaShape });

const operationShape = z.object({
  operationId: z.string().regex(/^[a-z]\w+$/),
  summary: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).min(1),
  parameters: z.array(parameterShape).default([]),
  requestBody: z.object({ required: z.boolean().optional(), content: mediaShape }).optional(),
  responses: z.record(z.string().regex(/^\d{3}$/), responseShape),
});

/** What an OpenAPI 3.1 document must have for tools to work with it. */
export const apiDocumentShape = z.object({
  openapi: z.string().regex(/^3\.1\.\d$/),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operationShape),
  ),
  components: z.object({
    schemas: z.record(z.string(), schemaShape),
    securitySchemes: z.record(
      z.string(),
      z.object({ type: z.literal('http'), scheme: z.string() }),
    ),
  }),
  'x-timeout-chain': z.array(z.object({ name: z.string(), limit_ms: z.int() })),
});

export type ApiDocument = z.output<typeof apiDocumentShape>;

export interface Operation extends z.output<typeof operationShape> {
  readonly method: string;
  readonly path: string;
}

/** Every route of a document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
}

export interface Sample {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

/** A request that an operation accepts: every required part, made from its schema. */
export function sampleRequest(
  document: ApiDocument,
  operation: Operation,
  values: Readonly<Record<string, string>>,
): Sample {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? 'sample',
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? 'sample')}`);
  const schema = operation.requestBody?.content['application/json']?.schema;
  return {
    method: operation.method,
    url: [path, ...query].join(query.length > 0 ? '?' : ''),
    ...(schema && { body: sampleBody(document, schema) }),
  };
}

const objectShape = z.object({ required: z.array(z.string()).default([]) });

function sampleBody(document: ApiDocument, schema: Record<string, unknown>): object {
  const name = String(schema['$ref']).split('/').at(-1) ?? '';
  const { required } = objectShape.parse(document.components.schemas[name]);
  return Object.fromEntries(required.map((property) => [property, 'sample']));
}

/** Every `$ref` in a document. */
export function refsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' ? [String(member)] : refsOf(member),
  );
}
