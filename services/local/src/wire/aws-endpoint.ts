import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { AwsError } from './aws-error';
import { faultScript, refusal } from './aws-fault-script';
import type { AwsFault, FaultScript } from './aws-fault-script';
import { findOperation } from './aws-operation';
import type { Operations } from './aws-operation';
import { readBody } from './aws-rest-json-body';
import { listenOnLoopback } from './listen';
import type { Listening, Request, Response } from './listen';

export interface AwsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a family of AWS services writes calls, outputs and errors on HTTP. */
export interface AwsProtocol {
  readonly unknownOperationCode: string;
  decode(request: Request, body: string): { readonly operation: string; readonly input: unknown };
  encodeOutput(operation: string, output: unknown, requestId: string): AwsReply;
  encodeError(error: AwsError, requestId: string): AwsReply;
}

/** One call as it arrived, for tests that ask what was asked. */
export interface AwsCall {
  readonly operation: string;
  readonly input: unknown;
}

export interface AwsEndpoint extends Listening {
  readonly faults: FaultScript;
  /** The latest calls, oldest first, including those that failed. */
  calls(operation?: string): readonly AwsCall[];
}

export interface AwsEndpointOptions {
  readonly protocol: AwsProtocol;
  readonly operations: Operations;
  /** @default a free port */
  readonly port?: number;
  /** Answers requests that are no AWS calls (the task metadata endpoint); true when it did. */
  readonly beside?: (request: Request, response: Response) => boolean;
}

const CALLS_REMEMBERED = 5_000;
const LARGEST_BODY_BYTES = 8 * 1024 * 1024;

/** Serves AWS operations on loopback to an unmodified SDK client. */
export async function serveAws(options: AwsEndpointOptions): Promise<AwsEndpoint> {
  const faults = faultScript();
  const calls: AwsCall[] = [];

  const remember = (call: AwsCall): void => {
    calls.push(call);
    if (calls.length > CALLS_REMEMBERED) calls.shift();
  };

  const listening = await listenOnLoopback((request, response) => {
    if (options.beside?.(request, response) === true) return;
    void answer(request, options, faults, remember).then((reply) => {
      if (reply === 'reset') cut(request);
      else if (reply !== 'silent' && !response.destroyed) send(response, reply);
    });
  }, options.port);

  return {
    ...listening,
    faults,
    calls: (operation) => calls.filter((call) => (operation ?? call.operation) === call.operation),
  };
}

type Outcome = AwsReply | 'silent' | 'reset';

async function answer(
  request: Request,
  { protocol, operations }: AwsEndpointOptions,
  faults: FaultScript,
  remember: (call: AwsCall) => void,
): Promise<Outcome> {
  const requestId = randomUUID();
  try {
    const call = protocol.decode(request, await readText(request));
    remember(call);
    const fault = faults.take(call.operation);
    const refused = refusal(fault);
    if (refused !== undefined) throw refused;
    const run = findOperation(operations, call.operation, protocol.unknownOperationCode);
    const output = await run(call.input);
    return await withheld(fault, protocol.encodeOutput(call.operation, output ?? {}, requestId));
  } catch (cause) {
    return protocol.encodeError(asAwsError(cause), requestId);
  }
}

/** CloudWatch's client compresses large bodies. */
async function readText(request: Request): Promise<string> {
  const body = await readBody(request, LARGEST_BODY_BYTES);
  const isPacked = request.headers['content-encoding'] === 'gzip';
  return (isPacked ? gunzipSync(body) : body).toString('utf8');
}

async function withheld(fault: AwsFault | undefined, reply: AwsReply): Promise<Outcome> {
  if (fault?.kind === 'slow') await sleep(fault.delayMs);
  if (fault?.kind === 'silent-after-success') return 'silent';
  if (fault?.kind === 'reset-after-success') return 'reset';
  return reply;
}

function asAwsError(cause: unknown): AwsError {
  if (cause instanceof AwsError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new AwsError('InternalFailure', `The stand-in failed: ${message}`, 500);
}

function cut(request: Request): void {
  if ('stream' in request) request.stream.session?.destroy();
  else request.socket.destroy();
}

function send(response: Response, reply: AwsReply): void {
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  response.end(reply.body);
}
