import { AwsError } from './aws-error';
import type { Request } from './listen';

/** Reads a whole request body; rejects when the peer leaves first or sends more than `limitBytes`. */
export function readBody(request: Request, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received <= limitBytes) chunks.push(chunk);
    });
    request.on('end', () => {
      if (received > limitBytes) reject(bodyTooLarge(limitBytes));
      else resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', reject);
    request.on('close', () => {
      reject(new Error('the peer left before its request was complete'));
    });
  });
}

/** Parses a JSON body as AWS services do: what is not JSON is a SerializationException. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError('SerializationException', 'The request body is not valid JSON.', 400);
  }
}

function bodyTooLarge(limitBytes: number): AwsError {
  return new AwsError(
    'RequestEntityTooLargeException',
    `The request body exceeds ${limitBytes} bytes.`,
    413,
  );
}
