import { Pool } from 'undici';
import { z } from 'zod';
import type { PlatformConfiguration } from '@matsuri/contract';
import {
  CredentialCache,
  type CredentialProvider,
} from '../../../gateway/adapters/bedrock/credential-cache';
import { RequestSigner } from '../../../gateway/adapters/bedrock/request-signer';
import { retrievalQuery } from '../core/retrieval-query';
import type { Passage } from '../core/passage';
import type { Retriever } from '../ports';

export interface OpenSearchOptions {
  readonly url: string;
  readonly index: string;
  readonly region: string;
  readonly credentials: CredentialProvider;
  readonly pool: PlatformConfiguration['pools']['perTask']['opensearch'];
  /** Milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number;
}

/** The catalogue's index. */
export interface OpenSearch {
  readonly retrieve: Retriever;
  close(): Promise<void>;
}

/** OpenSearch answered, but not with hits. */
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

const textField = z.string().default('');
const hits = z.object({
  timed_out: z.boolean().default(false),
  hits: z.object({
    hits: z.array(
      z.object({
        _source: z.object({
          id: z.string(),
          title: textField,
          title_en: textField,
          text: textField,
          text_en: textField,
        }),
      }),
    ),
  }),
});

/** Opens the index over signed, kept-alive HTTP/1.1. Nothing is connected before the first search. */
export function openOpenSearch(options: OpenSearchOptions): OpenSearch {
  const { index, region, pool: settings, nowMs = Date.now } = options;
  const url = new URL(options.url);
  const sent = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(index)}/_search`;
  const path = { sent, canonical: encodeURIComponent(sent).replaceAll('%2F', '/') };
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
    async retrieve(wish, signal) {
      const body = Buffer.from(JSON.stringify(retrievalQuery(wish)));
      const headers = signer.sign(path, body, await credentials.get(), nowMs());
      const reply = await pool.request({ method: 'POST', path: sent, headers, body, signal });
      const bytes = await bounded(reply.body);
      if (reply.statusCode !== 200) {
        throw new SearchRefusedError(reply.statusCode, `OpenSearch said ${reply.statusCode}`);
      }
      const found = hits.parse(JSON.parse(bytes.toString('utf8')));
      if (found.timed_out) throw new SearchRefusedError(504, 'OpenSearch ran out of time');
      return found.hits.hits.map(({ _source }) => passageOf(_source));
    },
    close: () => pool.destroy(),
  };
}

type Source = z.output<typeof hits>['hits']['hits'][number]['_source'];

function passageOf({ id, title, title_en, text, text_en }: Source): Passage {
  return { id, title, titleEn: title_en, text: [text, text_en].join('\n').trim() };
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
