import { z } from 'zod';

import { AwsError } from '../../wire/aws-error';
import type { IntentClassifier } from './intent-classifier';

const request = z.object({ text: z.string() });

const LOG_STREAM =
  'arn:aws:logs:ap-northeast-1:000000000000:log-group:/aws/sagemaker/Endpoints/stand-in';

/** What a container answers with; SageMaker wraps it in a ModelError. */
export function modelError(status: number, message: string): AwsError {
  const kind = status >= 400 && status < 500 ? 'client' : 'server';
  return new AwsError(
    'ModelError',
    `Received ${kind} error (${status}) from primary with message "${message}".`,
    424,
    { OriginalStatusCode: status, OriginalMessage: message, LogStreamArn: LOG_STREAM },
  );
}

/**
 * Runs the model on a request body: JSON `{"text": "…"}` or plain text in, JSON
 * `{"label", "score", "scores"}` out, as a container behind the endpoint would.
 */
export function infer(
  classify: IntentClassifier,
  input: { readonly contentType: string; readonly accept: string; readonly body: Buffer },
): string {
  if (!acceptsJson(input.accept)) throw modelError(406, `Cannot answer with ${input.accept}`);
  const { label, score, scores } = classify(readText(input.contentType, input.body));
  return JSON.stringify({ label, score, scores: Object.fromEntries(scores) });
}

function readText(contentType: string, body: Buffer): string {
  const [mediaType = ''] = contentType.split(';');
  const text = body.toString('utf8');
  switch (mediaType.trim().toLowerCase()) {
    case 'application/json':
      return readJson(text);
    case 'text/plain':
      return text;
    default:
      throw modelError(415, `Cannot read ${contentType === '' ? 'no content type' : contentType}`);
  }
}

function readJson(body: string): string {
  const parsed = request.safeParse(tryParse(body));
  if (!parsed.success) throw modelError(400, 'The body must be JSON like {"text": "..."}');
  return parsed.data.text;
}

function tryParse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function acceptsJson(accept: string): boolean {
  return accept === '' || /(application|\*)\/(json|\*)/i.test(accept);
}
