import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import { AwsError } from '../wire/aws-error';
import { readCredentialScope } from '../wire/aws-rest-json-sigv4';
import type { Listening } from '../wire/listen';
import { jsonReply } from '../wire/stand-in-call';
import type { StandInCall, StandInReply } from '../wire/stand-in-call';
import { conduct } from '../wire/stand-in-conduct';
import type { Conduct } from '../wire/stand-in-conduct';
import { serveStandIn } from '../wire/stand-in-server';
import { infer } from './core/inference';
import { trainIntentClassifier } from './core/intent-classifier';
import type { IntentClassifier } from './core/intent-classifier';
import { SAGEMAKER_SCRIPTS, scriptedError } from './core/scripts';
import type { SageMakerScript } from './core/scripts';
import { TRAINING_UTTERANCES } from './core/training-utterances';

export interface SageMakerStandInOptions {
  /** Endpoints that exist; each serves the intent classifier. @default one, INTENT_ENDPOINT */
  readonly endpoints?: readonly string[];
  /** Time of an inference. @default 35 */
  readonly latencyMs?: number;
  /** @default a free port */
  readonly port?: number;
  /** @default real time */
  readonly clock?: Clock;
  /** Draws failures and jitter from [0, 1). @default Math.random */
  readonly random?: () => number;
}

/** A running stand-in and its behaviour. */
export interface SageMakerStandIn extends Listening {
  readonly conduct: Conduct<SageMakerScript>;
}

/** The endpoint a stand-in serves unless told otherwise. */
export const INTENT_ENDPOINT = 'mangaassist-intent';

const INFERENCE_MS = 35;
/** SageMaker's own limit for a real-time request. */
const LARGEST_BODY_BYTES = 25 * 1024 * 1024;

/** Serves InvokeEndpoint of SageMaker's runtime with a classifier trained at start. */
export async function startSageMakerStandIn(
  options: SageMakerStandInOptions = {},
): Promise<SageMakerStandIn> {
  const endpoints = new Set(options.endpoints ?? [INTENT_ENDPOINT]);
  const classify = trainIntentClassifier(TRAINING_UTTERANCES);
  const behaviour = conduct<SageMakerScript>(
    SAGEMAKER_SCRIPTS,
    {
      latencyMs: options.latencyMs ?? INFERENCE_MS,
      jitterMs: 0,
      failureRate: 0,
      failure: 'service-unavailable',
      script: 'ok',
    },
    options.random ?? Math.random,
  );
  const listening = await serveStandIn({
    conduct: behaviour,
    clock: options.clock ?? scaledClock(),
    largestBodyBytes: LARGEST_BODY_BYTES,
    ...(options.port === undefined ? {} : { port: options.port }),
    answer: (call, script) => invoke(call, script, endpoints, classify),
    refuse,
  });
  return { ...listening, conduct: behaviour };
}

function invoke(
  call: StandInCall,
  script: SageMakerScript,
  endpoints: ReadonlySet<string>,
  classify: IntentClassifier,
): StandInReply {
  readCredentialScope(call.headers, 'sagemaker');
  const endpoint = invokedEndpoint(call);
  if (!endpoints.has(endpoint)) {
    throw new AwsError(
      'ValidationError',
      `Endpoint ${endpoint} of account 000000000000 not found.`,
    );
  }
  const scripted = scriptedError(script);
  if (scripted !== undefined) throw scripted;
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-amzn-requestid': randomUUID(),
      'x-amzn-invoked-production-variant': 'AllTraffic',
    },
    body: infer(classify, {
      contentType: call.headers['content-type'] ?? '',
      accept: call.headers.accept ?? '',
      body: call.body,
    }),
  };
}

function invokedEndpoint({ method, path }: StandInCall): string {
  const [collection, endpoint, action, ...rest] = path;
  const isEndpoint = method === 'POST' && collection === 'endpoints' && rest.length === 0;
  if (isEndpoint && endpoint !== undefined && action === 'invocations') return endpoint;
  throw new AwsError(
    'UnknownOperationException',
    `This stand-in serves InvokeEndpoint (POST /endpoints/{name}/invocations), not ${method} /${path.join('/')}.`,
    404,
  );
}

function refuse(error: unknown): StandInReply {
  const known =
    error instanceof AwsError
      ? error
      : new AwsError(
          'InternalFailure',
          error instanceof Error ? error.message : String(error),
          500,
        );
  // SageMaker's errors spell their member `Message`; common AWS errors spell it `message`.
  return jsonReply(
    known.status,
    { message: known.message, Message: known.message, ...known.members },
    { 'x-amzn-requestid': randomUUID(), 'x-amzn-errortype': known.code },
  );
}
