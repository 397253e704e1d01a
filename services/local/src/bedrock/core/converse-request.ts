import { z } from 'zod';

import { AwsError } from '../../wire/aws-error';

/** A member of a union shape: exactly one of its known keys is present. */
const oneOf = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject(shape).superRefine((value, context) => {
    const present = Object.keys(shape).filter((key) => value[key] !== undefined);
    if (present.length !== 1) {
      context.addIssue({ code: 'custom', message: 'Member must have exactly one known key set' });
    }
  });

const json = z.json();
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Member must be base64');

const s3Location = z.looseObject({ uri: z.string().startsWith('s3://') });
const cachePoint = z.object({ type: z.literal('default'), ttl: z.enum(['5m', '1h']).optional() });

const imageBlock = z.looseObject({
  format: z.enum(['png', 'jpeg', 'gif', 'webp']),
  source: oneOf({ bytes: base64.optional(), s3Location: s3Location.optional() }),
});

const documentBlock = z.looseObject({
  format: z.string().optional(),
  name: z.string().min(1),
  source: oneOf({
    bytes: base64.optional(),
    s3Location: s3Location.optional(),
    text: z.string().optional(),
    content: z.array(z.looseObject({ text: z.string() })).optional(),
  }),
});

const toolUseBlock = z.looseObject({
  toolUseId: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  input: json,
});

const toolResultBlock = z.looseObject({
  toolUseId: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  status: z.enum(['success', 'error']).optional(),
  content: z.array(
    oneOf({
      text: z.string().optional(),
      json: json.optional(),
      image: imageBlock.optional(),
      document: documentBlock.optional(),
      video: json.optional(),
      searchResult: json.optional(),
    }),
  ),
});

const reasoningBlock = oneOf({
  reasoningText: z.looseObject({ text: z.string(), signature: z.string().optional() }).optional(),
  redactedContent: base64.optional(),
});

const contentBlock = oneOf({
  text: z.string().optional(),
  image: imageBlock.optional(),
  document: documentBlock.optional(),
  toolUse: toolUseBlock.optional(),
  toolResult: toolResultBlock.optional(),
  reasoningContent: reasoningBlock.optional(),
  cachePoint: cachePoint.optional(),
  guardContent: z.looseObject({ text: z.looseObject({ text: z.string() }).optional() }).optional(),
  citationsContent: json.optional(),
  searchResult: json.optional(),
  video: json.optional(),
  audio: json.optional(),
});

const message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.array(contentBlock),
});

const systemBlock = oneOf({
  text: z.string().optional(),
  cachePoint: cachePoint.optional(),
  guardContent: z.looseObject({ text: z.looseObject({ text: z.string() }).optional() }).optional(),
});

const tool = oneOf({
  toolSpec: z
    .looseObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
      description: z.string().min(1).optional(),
      inputSchema: z.looseObject({ json: z.record(z.string(), json) }),
    })
    .optional(),
  systemTool: z.looseObject({ name: z.string() }).optional(),
  cachePoint: cachePoint.optional(),
});

const toolChoice = oneOf({
  auto: z.looseObject({}).optional(),
  any: z.looseObject({}).optional(),
  tool: z.looseObject({ name: z.string() }).optional(),
});

const thinking = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024) }),
  z.looseObject({ type: z.literal('adaptive') }),
  z.looseObject({ type: z.literal('disabled') }),
]);

const converseRequest = z.looseObject({
  messages: z.array(message).default([]),
  system: z.array(systemBlock).default([]),
  inferenceConfig: z
    .looseObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
      stopSequences: z.array(z.string().min(1)).max(2_500).optional(),
    })
    .default({}),
  toolConfig: z
    .looseObject({ tools: z.array(tool).min(1), toolChoice: toolChoice.optional() })
    .optional(),
  additionalModelRequestFields: z.looseObject({ thinking: thinking.optional() }).optional(),
  guardrailConfig: json.optional(),
  promptVariables: json.optional(),
  additionalModelResponseFieldPaths: z.array(z.string()).optional(),
  performanceConfig: z.looseObject({ latency: z.enum(['standard', 'optimized']) }).optional(),
  serviceTier: z
    .looseObject({ type: z.enum(['priority', 'default', 'flex', 'reserved']) })
    .optional(),
  outputConfig: z
    .looseObject({
      textFormat: z
        .looseObject({
          type: z.literal('json_schema'),
          structure: z.looseObject({ jsonSchema: z.looseObject({ schema: z.string() }) }),
        })
        .optional(),
    })
    .optional(),
});

export type ConverseRequest = z.output<typeof converseRequest>;
export type Message = z.output<typeof message>;
export type ContentBlock = z.output<typeof contentBlock>;
export type ImageBlock = z.output<typeof imageBlock>;
export type ToolSpec = NonNullable<z.output<typeof tool>['toolSpec']>;

/** Reads a Converse request off the wire; what does not fit the shape is a ValidationException. */
export function parseConverseRequest(body: unknown): ConverseRequest {
  const parsed = converseRequest.safeParse(body);
  if (!parsed.success) throw shapeViolation(parsed.error);
  return parsed.data;
}

/** Shape violations in the words of AWS: how many, and where the value stands. */
export function shapeViolation(error: z.ZodError): AwsError {
  const count = error.issues.length;
  const details = error.issues.map(
    (issue) => `Value at '${issue.path.join('.')}' failed to satisfy constraint: ${issue.message}`,
  );
  const noun = count === 1 ? 'error' : 'errors';
  return new AwsError(
    'ValidationException',
    `${count} validation ${noun} detected: ${details.join('; ')}`,
  );
}
