import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import type { Listening } from '../wire/listen';
import { jsonReply } from '../wire/stand-in-call';
import type { StandInReply } from '../wire/stand-in-call';
import { conduct } from '../wire/stand-in-conduct';
import type { Conduct } from '../wire/stand-in-conduct';
import { serveStandIn } from '../wire/stand-in-server';
import type { Cluster, ClusterKind } from './cluster';
import { SearchError, errorBody } from './core/search-error';
import { DOCUMENT_ROUTES } from './document-routes';
import { INDEX_ROUTES } from './index-routes';
import { dispatch } from './route';
import { OPENSEARCH_SCRIPTS, scriptedReply } from './scripts';
import type { OpenSearchScript } from './scripts';
import { SEARCH_ROUTES } from './search-routes';
import { checkSignature } from './signature';

export interface OpenSearchStandInOptions {
  /** `vector-collection` refuses what a serverless vector collection refuses. @default 'domain' */
  readonly kind?: ClusterKind;
  /** Time of a call. @default 20 */
  readonly latencyMs?: number;
  /** @default a free port */
  readonly port?: number;
  /** @default real time */
  readonly clock?: Clock;
  /** Draws failures and jitter from [0, 1). @default Math.random */
  readonly random?: () => number;
  /** Ids for documents that come without. @default random UUIDs */
  readonly newId?: () => string;
}

/** A running stand-in and its behaviour. */
export interface OpenSearchStandIn extends Listening {
  readonly conduct: Conduct<OpenSearchScript>;
}

const ROUTES = [...INDEX_ROUTES, ...SEARCH_ROUTES, ...DOCUMENT_ROUTES];
const RETRIEVAL_MS = 20;
/** OpenSearch's own default for the body of a request. */
const LARGEST_BODY_BYTES = 100 * 1024 * 1024;

/** Serves an empty OpenSearch with real text and vector search, in memory. */
export async function startOpenSearchStandIn(
  options: OpenSearchStandInOptions = {},
): Promise<OpenSearchStandIn> {
  const clock = options.clock ?? scaledClock();
  const cluster: Cluster = {
    kind: options.kind ?? 'domain',
    indices: new Map(),
    pipelines: new Map(),
    nowMs: () => clock.nowMs(),
    newId: options.newId ?? randomUUID,
  };
  const behaviour = conduct<OpenSearchScript>(
    OPENSEARCH_SCRIPTS,
    {
      latencyMs: options.latencyMs ?? RETRIEVAL_MS,
      jitterMs: 0,
      failureRate: 0,
      failure: 'unavailable',
      script: 'ok',
    },
    options.random ?? Math.random,
  );
  const listening = await serveStandIn({
    conduct: behaviour,
    clock,
    largestBodyBytes: LARGEST_BODY_BYTES,
    ...(options.port === undefined ? {} : { port: options.port }),
    answer: (call, script) => {
      checkSignature(call);
      return scriptedReply(script) ?? dispatch(ROUTES, cluster, call, script === 'timed-out');
    },
    refuse,
  });
  return { ...listening, conduct: behaviour };
}

function refuse(error: unknown): StandInReply {
  const known =
    error instanceof SearchError
      ? error
      : new SearchError('exception', error instanceof Error ? error.message : String(error), 500);
  return jsonReply(known.status, errorBody(known));
}
