import { DeadlineExceededError, UNBOUNDED, withDeadline, type Clock } from '@matsuri/resilience';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api';
import { ProblemError } from '../problem-error';

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body: a trickle does not hold a connection. */
  readonly maxMs: number;
  readonly clock: Clock;
}

/** Takes a body in before anyone parses it, whole, in time, and of a known size, whatever its headers say. */
export function receiveBody(limits: BodyLimits): MiddlewareHandler<ApiEnv> {
  return async function bodyReception(c, next) {
    const { body } = c.req.raw;
    if (body !== null) {
      if (Number(c.req.header('content-length') ?? 0) > limits.maxBytes) throw tooLarge(limits);
      const bytes = await received(body, limits);
      c.req.raw = new Request(c.req.raw, { body: bytes });
    }
    await next();
  };
}

async function received(body: ReadableStream<Uint8Array>, limits: BodyLimits): Promise<Buffer> {
  const reader = body.getReader();
  try {
    return await withDeadline(UNBOUNDED, limits.maxMs, () => readAll(reader, limits), limits.clock);
  } catch (cause) {
    throw refusalOf(cause);
  } finally {
    // Cancelling would cut the connection before the refusal is out; the server throws the rest away.
    reader.releaseLock();
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limits: BodyLimits,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.byteLength;
    if (size > limits.maxBytes) throw tooLarge(limits);
    chunks.push(value);
  }
}

function refusalOf(cause: unknown): ProblemError {
  if (cause instanceof ProblemError) return cause;
  if (cause instanceof DeadlineExceededError) return new ProblemError('too-slow');
  return new ProblemError('invalid-request', 'The body broke off.', { cause });
}

function tooLarge({ maxBytes }: BodyLimits): ProblemError {
  return new ProblemError('body-too-large', `A body has at most ${maxBytes} bytes.`);
}
