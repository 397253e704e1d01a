import type { PlatformConfiguration } from '@matsuri/contract';
import { Pool } from 'undici';
import {
  CredentialCache,
  type CredentialProvider,
} from '../gateway/adapters/bedrock/credential-cache';
import { RequestSigner } from '../gateway/adapters/bedrock/request-signer';

export interface OpenSearchConnectionOptions {
  readonly url: string;
  readonly index: string;
  readonly region: string;
  readonly credentials: CredentialProvider;
  readonly pool: PlatformConfiguration['pools']['perTask']['opensearch'];
  /** Milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number;
}

interface OpenSearchReply {
  readonly status: number;
  readonly body: Buffer;
}

/** One index, over signed, kept-alive HTTP/1.1. */
export interface OpenSearchConnection {
  /** `operation` is what follows the index in the path, such as `/_search`; empty for the index itself. */
  send(
    method: 'POST' | 'PUT',
    operation: string,
    body: string,
    signal?: AbortSignal,
  ): Promise<OpenSearchReply>;
  close(): Promise<void>;
}

/** OpenSearch answered, but not with what was asked for. */
export class SearchRefusedError extends Error {
  override readonly name = 'SearchRefusedError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const SERVICE = 'aoss';
const MOST_REPLY_BYTES = 1_024 * 1_024;

/** Nothing is connected before the first call. */
export function connectOpenSearch(options: OpenSearchConnectionOptions): OpenSearchConnection {
  const { region, pool: settings, nowMs = Date.now } = options;
  const url = new URL(options.url);
  const base = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(options.index)}`;
  const signer = new RequestSigner(region, url.host, SERVICE);
  const credentials = new CredentialCache(options.credentials, nowMs);
  const pool = new Pool(url.origin, {
    allowH2: false,
    connections: settings.maxConnections,
    connect: { timeout: settings.connectTimeoutMs },
    headersTimeout: settings.totalTimeoutMs ?? 0,
    bodyTimeout: settings.totalTimeoutMs ?? 0,
    keepAliveTimeout: settings.idleTimeoutMs,
    keepAliveMaxTimeout: settings.idleTimeoutMs,
  });

  return {
    async send(method, operation, text, signal) {
      const path = `${base}${operation}`;
      const paths = { sent: path, canonical: encodeURIComponent(path).replaceAll('%2F', '/') };
      const body = Buffer.from(text);
      const headers = signer.sign(paths, body, await credentials.get(), nowMs(), method);
      const reply = await pool.request({ method, path, headers, body, signal: signal ?? null });
      return { status: reply.statusCode, body: await bounded(reply.body) };
    },
    close: () => pool.destroy(),
  };
}

/** What comes from outside is read as far as it may be useful. */
async function bounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MOST_REPLY_BYTES) throw new SearchRefusedError(502, 'the reply is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
