import { ModelCallError } from '../../ports';
import type { ModelFailure } from '../../ports';
import { stringMember } from './json-member';
import { retryAfterMs } from './retry-after';

/** What Bedrock's exceptions mean to a caller who may choose another target. */
const FAILURES: ReadonlyMap<string, ModelFailure> = new Map([
  ['ThrottlingException', 'throttled'],
  ['TooManyRequestsException', 'throttled'],
  ['ServiceQuotaExceededException', 'throttled'],
  ['InternalServerException', 'unavailable'],
  ['ServiceUnavailableException', 'unavailable'],
  ['ModelErrorException', 'unavailable'],
  ['ModelNotReadyException', 'unavailable'],
  ['ModelStreamErrorException', 'unavailable'],
  ['ModelTimeoutException', 'unavailable'],
  // The next call takes fresh credentials.
  ['ExpiredTokenException', 'unavailable'],
  ['ValidationException', 'invalid-request'],
  ['AccessDeniedException', 'misconfigured'],
  ['ResourceNotFoundException', 'misconfigured'],
  ['UnrecognizedClientException', 'misconfigured'],
  ['InvalidSignatureException', 'misconfigured'],
  ['IncompleteSignatureException', 'misconfigured'],
  ['MissingAuthenticationTokenException', 'misconfigured'],
  ['UnknownOperationException', 'misconfigured'],
]);

const FAILURES_BY_STATUS: ReadonlyMap<number, ModelFailure> = new Map([
  [400, 'invalid-request'],
  [408, 'unavailable'],
  [413, 'invalid-request'],
  [422, 'invalid-request'],
  [424, 'unavailable'],
  [429, 'throttled'],
]);

/** Exceptions after which cached credentials are worth nothing. */
const CREDENTIAL_EXCEPTIONS: ReadonlySet<string> = new Set([
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
]);

// Bedrock reports a wrong model name in the same words as a wrong prompt: as a ValidationException.
const WRONG_MODEL_NAME = /on-demand throughput isn.t supported|model identifier is invalid/;

const LONGEST_MESSAGE = 1_000;

/** A refusal with the status, the headers and as much of the body as was kept. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The failure an exception of Bedrock stands for, in a reply or inside a stream. */
export function exceptionError(type: string, message: string): ModelCallError {
  const name = exceptionName(type);
  return new ModelCallError(failureOf(name, message, 500), describe(name, message));
}

/** The failure an HTTP reply other than 200 stands for. */
export function refusalError(refusal: Refusal, nowMs: number): ModelCallError {
  const { status, headers } = refusal;
  const body = parseJson(refusal.body);
  const type = exceptionOf(refusal, body);
  const message = stringMember(body, 'message') ?? stringMember(body, 'Message') ?? '';
  const wait = retryAfterMs(headers['retry-after'], nowMs);
  return new ModelCallError(
    failureOf(type, message, status),
    describe(type ?? `HTTP ${status}`, message),
    wait === undefined ? {} : { retryAfterMs: wait },
  );
}

/** Whether a refusal says that the credentials themselves are at fault. */
export function spoilsCredentials(refusal: Refusal): boolean {
  const type = exceptionOf(refusal, parseJson(refusal.body));
  return type !== undefined && CREDENTIAL_EXCEPTIONS.has(type);
}

/** With these there was never a connection, so the model cannot have heard of the call. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A connection that could not be made, broke, or fell silent. */
export function connectionError(cause: unknown): ModelCallError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return new ModelCallError('unavailable', `The connection to Bedrock failed: ${reason}`, {
    cause,
    mayHaveCost: !NEVER_CONNECTED.has(code),
  });
}

/** A reply that is not what Bedrock's protocol says it should be. */
export function brokenReply(what: string, cause?: unknown): ModelCallError {
  return new ModelCallError('unavailable', `Bedrock's reply is broken: ${what}`, {
    cause,
    mayHaveCost: true,
  });
}

function failureOf(type: string | undefined, message: string, status: number): ModelFailure {
  const known = FAILURES.get(type ?? '') ?? FAILURES_BY_STATUS.get(status);
  if (known === 'invalid-request' && WRONG_MODEL_NAME.test(message)) return 'misconfigured';
  return known ?? (status >= 500 ? 'unavailable' : 'misconfigured');
}

function exceptionOf({ headers }: Refusal, body: unknown): string | undefined {
  const header = headers['x-amzn-errortype'];
  const named =
    typeof header === 'string'
      ? header
      : (stringMember(body, '__type') ?? stringMember(body, 'code'));
  return named === undefined ? undefined : exceptionName(named);
}

const EXCEPTION_NAME = /(?:^|#)([A-Za-z]+)(?::|$)/;

/** `com.amazon#throttlingException:http://…` and its likes, as the service model spells them. */
function exceptionName(spelling: string): string {
  const name = EXCEPTION_NAME.exec(spelling)?.[1] ?? spelling;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function describe(type: string, message: string): string {
  return message === '' ? type : `${type}: ${message.slice(0, LONGEST_MESSAGE)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
