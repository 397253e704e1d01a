import { elapsed } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { readBody } from './aws-rest-json-body';
import { listenOnLoopback } from './listen';
import type { Listening, Request, Response } from './listen';
import { jsonReply } from './stand-in-call';
import type { StandInCall, StandInReply } from './stand-in-call';
import { CONTROL_PATH, control } from './stand-in-control';
import type { Conduct } from './stand-in-conduct';

export interface StandInServerOptions<Name extends string> {
  readonly conduct: Conduct<Name>;
  readonly clock: Clock;
  readonly largestBodyBytes: number;
  /** @default a free port */
  readonly port?: number;
  /** Answers a call under a script; what it throws goes to `refuse`. */
  readonly answer: (call: StandInCall, script: Name) => StandInReply;
  /** Puts an error in the words of the service. */
  readonly refuse: (error: unknown) => StandInReply;
}

/** The header by which one call asks for a script of its own. */
const SCRIPT_HEADER = 'x-standin-script';

/** Serves a stand-in on loopback: waits, hangs, cuts and garbles as its conduct says. */
export function serveStandIn<Name extends string>(
  options: StandInServerOptions<Name>,
): Promise<Listening> {
  return listenOnLoopback((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    respond(request, response, options, gone.signal).catch((error: unknown) => {
      if (!gone.signal.aborted) send(response, options.refuse(error));
    });
  }, options.port);
}

async function respond<Name extends string>(
  request: Request,
  response: Response,
  options: StandInServerOptions<Name>,
  gone: AbortSignal,
): Promise<void> {
  const call = readCall(request, await readBody(request, options.largestBodyBytes));
  if (call.path[0] === CONTROL_PATH) {
    send(response, control(options.conduct, call));
    return;
  }
  const met = metBy(call, options.conduct);
  if ('status' in met) {
    send(response, met);
    return;
  }
  const { waitMs, script } = met;
  if (waitMs > 0) await elapsed(options.clock, waitMs, gone);
  if (gone.aborted || script.name === 'hang') return;
  if (script.name === 'reset') {
    request.socket.destroy();
    return;
  }
  const reply = answered(call, script.name, options);
  send(response, script.name === 'invalid-json' ? garbled(reply) : reply);
}

function metBy<Name extends string>(
  { headers }: StandInCall,
  conduct: Conduct<Name>,
): ReturnType<Conduct<Name>['next']> | StandInReply {
  const own = headers[SCRIPT_HEADER];
  try {
    return conduct.next(typeof own === 'string' ? own : undefined);
  } catch (error) {
    return jsonReply(400, { error: `${SCRIPT_HEADER}: ${String(error)}` });
  }
}

function answered<Name extends string>(
  call: StandInCall,
  script: Name,
  { answer, refuse }: StandInServerOptions<Name>,
): StandInReply {
  try {
    return answer(call, script);
  } catch (error) {
    return refuse(error);
  }
}

function readCall(request: Request, body: Buffer): StandInCall {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const path = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  return {
    method: request.method ?? 'GET',
    path,
    query: url.searchParams,
    headers: request.headers,
    body,
  };
}

// A healthy status around a body cut in half: what a proxy leaves when its upstream dies.
function garbled({ headers, body }: StandInReply): StandInReply {
  return { status: 200, headers, body: body.slice(0, Math.ceil(body.length / 2)) + '\u0000{' };
}

function send(response: Response, reply: StandInReply): void {
  const body = Buffer.from(reply.body);
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  response.setHeader('content-length', String(body.length));
  response.end(body);
}
