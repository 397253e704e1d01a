import { jsonReply } from '../wire/stand-in-call';
import type { StandInCall, StandInReply } from '../wire/stand-in-call';
import type { Cluster, ClusterKind } from './cluster';
import { illegalArgument, jsonObject, parsingError } from './core/search-error';
import type { JsonObject } from './core/search-error';

/** A call with the cluster it is for and the names its path gave. */
export interface RoutedCall {
  readonly cluster: Cluster;
  readonly query: URLSearchParams;
  readonly body: string;
  /** Told to run out of time while searching. */
  readonly timesOut: boolean;
  readonly param: (name: string) => string;
}

export interface Route {
  readonly methods: readonly string[];
  /** Segments; one that begins with `:` is a name. */
  readonly path: string;
  readonly answer: (call: RoutedCall) => StandInReply;
  /** Kinds of cluster that have it. @default all */
  readonly only?: ClusterKind;
}

/** Answers a call by the first route that fits. */
export function dispatch(
  routes: readonly Route[],
  cluster: Cluster,
  call: StandInCall,
  timesOut: boolean,
): StandInReply {
  for (const route of routes) {
    const params = fit(route, cluster, call);
    if (params === undefined) continue;
    return route.answer({
      cluster,
      query: call.query,
      body: call.body.toString('utf8'),
      timesOut,
      param: (name) => params.get(name) ?? '',
    });
  }
  const uri = `/${call.path.join('/')}`;
  throw illegalArgument(
    `no handler found for uri [${uri}] and method [${call.method}] in this stand-in`,
  );
}

function fit(
  { methods, path, only }: Route,
  cluster: Cluster,
  call: StandInCall,
): ReadonlyMap<string, string> | undefined {
  const segments = path.split('/').filter(Boolean);
  if (only !== undefined && only !== cluster.kind) return undefined;
  if (!methods.includes(call.method) || segments.length !== call.path.length) return undefined;
  const params = new Map<string, string>();
  for (const [index, segment] of segments.entries()) {
    const given = call.path[index] ?? '';
    if (!segment.startsWith(':')) {
      if (segment !== given) return undefined;
      continue;
    }
    // What begins with an underscore is an operation, never an index.
    if (segment === ':index' && given.startsWith('_')) return undefined;
    params.set(segment.slice(1), given);
  }
  return params;
}

/** The body as JSON; no body is an empty object. */
export function bodyObject({ body }: RoutedCall): JsonObject {
  if (body.trim() === '') return {};
  const parsed = jsonObject.safeParse(tryParse(body));
  if (!parsed.success) throw parsingError('request body is not a JSON object');
  return parsed.data;
}

export const ok = (value: unknown): StandInReply => jsonReply(200, value);

function tryParse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
