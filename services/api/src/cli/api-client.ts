import { HEADERS, PATHS } from '@matsuri/contract';
import type { z } from 'zod';
import { problemSchema, type ProblemBody } from '../wire/problem-schema';
import {
  issuedTokenSchema,
  spendSchema,
  tokenPageSchema,
  tokenSchema,
} from '../wire/token-schemas';
import { usagePageSchema } from '../wire/usage-schemas';
import { ApiRefusalError, ApiUnreachableError } from './errors';

export interface ClientOptions {
  readonly url: string;
  readonly adminToken: string;
}

type Headers = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 30_000;

/** The management API over HTTP, as the commands use it. */
export class ApiClient {
  constructor(private readonly options: ClientOptions) {}

  /** Without a text where an earlier request with the same key made the token. */
  createToken(tenant: string, body: object, idempotencyKey?: string) {
    const schema = issuedTokenSchema.partial({ token: true });
    return this.#call('POST', PATHS.tokens, { tenant }, schema, body, {
      ...(idempotencyKey !== undefined && { [HEADERS.idempotencyKey]: idempotencyKey }),
    });
  }

  listTokens(query: Query) {
    return this.#call('GET', PATHS.tokens, query, tokenPageSchema);
  }

  showToken(tenant: string, id: string) {
    return this.#call('GET', pathOf(id), { tenant }, tokenSchema);
  }

  revokeToken(tenant: string, id: string) {
    return this.#call('POST', pathOf(id, 'revoke'), { tenant }, tokenSchema);
  }

  rotateToken(tenant: string, id: string, body: object) {
    return this.#call('POST', pathOf(id, 'rotate'), { tenant }, issuedTokenSchema, body);
  }

  showSpend(tenant: string, id: string) {
    return this.#call('GET', pathOf(id, 'spend'), { tenant }, spendSchema);
  }

  summariseUsage(query: Query) {
    return this.#call('GET', PATHS.usage, query, usagePageSchema);
  }

  async #call<Schema extends z.ZodType>(
    method: 'GET' | 'POST',
    path: string,
    query: Query,
    schema: Schema,
    body?: object,
    headers: Headers = {},
  ): Promise<z.output<Schema>> {
    const response = await this.#send(method, path, query, body, headers);
    const answer = await jsonOf(response);
    if (!response.ok) throw failure(response.status, answer);
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw new ApiUnreachableError('The answer is not one of this API.');
    return parsed.data;
  }

  async #send(
    method: string,
    path: string,
    query: Query,
    body: object | undefined,
    headers: Headers,
  ): Promise<Response> {
    const url = this.#urlOf(path, query);
    try {
      return await fetch(url, {
        method,
        headers: {
          ...headers,
          authorization: `Bearer ${this.options.adminToken}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      throw new ApiUnreachableError(`Cannot reach ${url.origin}: ${reasonOf(cause)}`, { cause });
    }
  }

  #urlOf(path: string, query: Query): URL {
    const url = new URL(this.options.url);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }
}

function pathOf(id: string, action?: string): string {
  const path = `${PATHS.tokens}/${encodeURIComponent(id)}`;
  return action === undefined ? path : `${path}/${action}`;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function failure(status: number, answer: unknown): Error {
  const problem = problemSchema.safeParse(answer);
  if (status >= 500 || !problem.success) {
    return new ApiUnreachableError(`The API answers ${status}${titleOf(problem.data)}`);
  }
  return new ApiRefusalError(problem.data);
}

function titleOf(problem: ProblemBody | undefined): string {
  return problem === undefined ? '' : `: ${problem.title} (request ${problem.request_id})`;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  if (cause.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1_000} s`;
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
