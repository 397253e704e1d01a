import { randomUUID } from 'node:crypto';

import { AwsError } from '../wire/aws-error';
import { parseJsonBody, readBody } from '../wire/aws-rest-json-body';
import { sendRestJsonError, sendWhole } from '../wire/aws-rest-json-error';
import { readCredentialScope } from '../wire/aws-rest-json-sigv4';
import { listenOnLoopback } from '../wire/listen';
import type { Listening, Request, Response } from '../wire/listen';
import { answerCall } from './answer-call';
import { createWorld } from './control';
import type { BedrockControl, BedrockOptions } from './control';
import { answerControl } from './control-api';
import { routeOf } from './route';
import type { World } from './world';

export interface BedrockStandInOptions extends BedrockOptions {
  /** @default a free port */
  readonly port?: number;
}

export interface BedrockStandIn extends Listening, BedrockControl {}

const LARGEST_BODY_BYTES = 25 * 1024 * 1024;
const SERVICE = 'bedrock';

/** Starts Bedrock's runtime API on loopback, for unmodified AWS SDK clients. */
export async function startBedrockStandIn(
  options: BedrockStandInOptions = {},
): Promise<BedrockStandIn> {
  const { world, control } = createWorld(options);
  const listening = await listenOnLoopback((request, response) => {
    const requestId = randomUUID();
    answer(world, control, request, response, requestId).catch((cause: unknown) => {
      refuse(response, cause, requestId);
    });
  }, options.port);
  return { ...listening, ...control };
}

async function answer(
  world: World,
  control: BedrockControl,
  request: Request,
  response: Response,
  requestId: string,
): Promise<void> {
  const method = request.method ?? 'GET';
  const [path = '', query] = (request.url ?? '').split('?');
  const route = routeOf(method, path);
  const body = await readBody(request, LARGEST_BODY_BYTES);
  switch (route.kind) {
    case 'control': {
      const parsed = method === 'GET' ? undefined : parseJsonBody(body);
      const search = new URLSearchParams(query);
      const result = answerControl(control, {
        method,
        path: route.path,
        query: search,
        body: parsed,
      });
      const json = Buffer.from(JSON.stringify(result));
      sendWhole(response, 200, { 'content-type': 'application/json' }, json);
      return;
    }
    case 'call': {
      const { region } = readCredentialScope(request.headers, SERVICE);
      const { headers } = request;
      const attemptId = attemptIdOf(headers) ?? requestId;
      answerCall(world, { ...route, region, attemptId, requestId, body, headers }, response);
      return;
    }
    case 'unknown':
      throw new AwsError(
        'UnknownOperationException',
        `There is no operation ${method} ${path}.`,
        404,
      );
  }
}

function attemptIdOf(headers: Request['headers']): string | undefined {
  const id = headers['x-attempt-id'] ?? headers['amz-sdk-invocation-id'];
  return typeof id === 'string' ? id : undefined;
}

function refuse(response: Response, cause: unknown, requestId: string): void {
  if (response.destroyed || response.headersSent) return;
  const error =
    cause instanceof AwsError
      ? cause
      : new AwsError(
          'InternalServerException',
          `The Bedrock stand-in failed: ${String(cause)}`,
          500,
        );
  sendRestJsonError(response, error, requestId);
}
