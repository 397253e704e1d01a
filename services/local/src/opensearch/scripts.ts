import type { StandInReply } from '../wire/stand-in-call';
import { jsonReply } from '../wire/stand-in-call';
import { COMMON_SCRIPTS } from '../wire/stand-in-conduct';
import { SearchError, errorBody } from './core/search-error';

/** What the cluster can be told to do to a caller. */
export const OPENSEARCH_SCRIPTS = [
  ...COMMON_SCRIPTS,
  'too-many-requests',
  'internal-error',
  'unavailable',
  'bad-gateway-html',
  'timed-out',
] as const;

export type OpenSearchScript = (typeof OPENSEARCH_SCRIPTS)[number];

/** The answer a script gives before anything is done, if it does. */
export function scriptedReply(script: OpenSearchScript): StandInReply | undefined {
  switch (script) {
    case 'too-many-requests':
      return refused('rejected_execution_exception', 'rejected execution: queue is full', 429);
    case 'internal-error':
      return refused('search_phase_execution_exception', 'all shards failed', 500);
    case 'unavailable':
      return refused('cluster_manager_not_discovered_exception', 'no cluster manager', 503);
    case 'bad-gateway-html':
      return {
        status: 502,
        headers: { 'content-type': 'text/html' },
        body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
      };
    case 'ok':
    case 'slow':
    case 'hang':
    case 'reset':
    case 'invalid-json':
    case 'timed-out':
      return undefined;
  }
}

function refused(type: string, reason: string, status: number): StandInReply {
  return jsonReply(status, errorBody(new SearchError(type, reason, status)));
}
