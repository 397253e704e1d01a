import { HEADERS } from '@matsuri/contract';

import { formatDuration } from './format-duration';
import type { OpenAiError } from './open-ai-error';
import { shown } from './shown';

interface RefusalTemplate {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  /** `{subject}` and `{wait}` are filled in. */
  readonly message: string;
  /** Coming back unchanged cannot help; without a word clients would retry a 429 or 5xx by themselves. */
  readonly final?: true;
}

const INVALID = 'invalid_request_error';
const SERVER = 'server_error';

/** Every reason for which the gateway refuses, in the words and codes that OpenAI's clients know. */
const REFUSALS = {
  'key-missing': {
    status: 401,
    type: INVALID,
    code: null,
    message:
      "You didn't provide an API key. Send it in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
  },
  'key-invalid': {
    status: 401,
    type: INVALID,
    code: 'invalid_api_key',
    message: 'Incorrect API key provided: it is unknown, has expired or was revoked.',
  },
  'key-failures': {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Too many failed attempts to authenticate. Please try again in {wait}.',
  },
  'model-not-found': {
    status: 404,
    type: INVALID,
    code: 'model_not_found',
    message: 'The model `{subject}` does not exist or you do not have access to it.',
  },
  'model-not-allowed': {
    status: 403,
    type: INVALID,
    code: 'model_not_found',
    message: 'This API key does not have access to model `{subject}`.',
  },
  /** The tenant's allow-list of residencies, not the key's of models: another key would not help. */
  'residency-not-allowed': {
    status: 403,
    type: INVALID,
    code: 'residency_not_allowed',
    message:
      'The model `{subject}` is not offered where requests of your organization may be processed. GET /v1/models lists those that are.',
  },
  'url-unknown': {
    status: 404,
    type: INVALID,
    code: 'unknown_url',
    message: 'Invalid URL ({subject})',
  },
  'method-not-allowed': {
    status: 405,
    type: INVALID,
    code: 'method_not_supported',
    message: 'Not allowed to {subject}. (HINT: Perhaps you meant to use a different HTTP method?)',
  },
  'body-unreadable': {
    status: 400,
    type: INVALID,
    code: null,
    message:
      'We could not parse the JSON body of your request. The API expects a JSON object in UTF-8.',
  },
  'body-too-complex': {
    status: 400,
    type: INVALID,
    code: 'request_too_complex',
    message:
      'The JSON body of your request is nested too deep or has too many values to be a chat.',
  },
  'body-late': {
    status: 408,
    type: INVALID,
    code: 'request_timeout',
    message: 'The body of your request did not arrive in time.',
  },
  'body-too-large': {
    status: 413,
    type: INVALID,
    code: 'request_too_large',
    message: 'The request body is too large. The maximum is {subject} bytes.',
  },
  'media-type-unsupported': {
    status: 415,
    type: INVALID,
    code: 'unsupported_content_type',
    message:
      "Unsupported content type: '{subject}'. This API method only accepts 'application/json' requests.",
  },
  'session-not-found': {
    status: 404,
    type: INVALID,
    code: 'session_not_found',
    message: 'There is no such session, or it belongs to another user. Open one first.',
  },
  'sessions-unavailable': {
    status: 503,
    type: SERVER,
    code: 'service_unavailable',
    message: 'Sessions cannot be opened at the moment. Please try again in {wait}.',
  },
  'session-busy': {
    status: 409,
    type: INVALID,
    code: 'session_busy',
    message: 'Another message of this session is being answered. Wait for its end, or cancel it.',
  },
  'end-user-invalid': {
    status: 400,
    type: INVALID,
    code: 'invalid_end_user',
    message: 'The end user must be 1–128 printable ASCII characters without spaces.',
  },
  'message-invalid': {
    status: 400,
    type: INVALID,
    code: 'invalid_message',
    message:
      'A message is a JSON object with a clientMessageId of 1–128 printable characters, a text of 1–16000 characters, and optionally a locale, ja or en.',
  },
  'ticket-invalid': {
    status: 401,
    type: INVALID,
    code: 'invalid_ticket',
    message: 'The ticket is unknown, too old, or was used before. Ask for a new one.',
  },
  'origin-not-allowed': {
    status: 403,
    type: INVALID,
    code: 'origin_not_allowed',
    message: 'Pages of {subject} may not open sessions here.',
  },
  'upgrade-required': {
    status: 426,
    type: INVALID,
    code: 'upgrade_required',
    message:
      'This address speaks WebSocket only. Over plain HTTP, POST to the messages of a session.',
  },
  'upgrade-invalid': {
    status: 400,
    type: INVALID,
    code: 'invalid_upgrade',
    message: 'This is not a valid WebSocket handshake (RFC 6455, version 13).',
  },
  'requests-limited': {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for `{subject}` on requests per min (RPM). Please try again in {wait}.',
  },
  'tokens-limited': {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for `{subject}` on tokens per min (TPM). Please try again in {wait}.',
  },
  /** More tokens than the limit ever holds: no wait would help. */
  'tokens-beyond-limit': {
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Request too large for `{subject}` on tokens per min (TPM). The input or output tokens must be reduced in order to run successfully.',
    final: true,
  },
  'spend-cap-reached': {
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message:
      'You exceeded your current quota: the {subject} spend cap of this API key is used up. Raise the cap or wait for the next period.',
    final: true,
  },
  overloaded: {
    status: 503,
    type: SERVER,
    code: 'overloaded',
    message: 'The server is currently overloaded with other requests. Please try again in {wait}.',
  },
  draining: {
    status: 503,
    type: SERVER,
    code: 'service_unavailable',
    message: 'This server is shutting down. Please try again in {wait}.',
  },
  /** Nothing is spent that cannot be recorded. */
  'ledger-unavailable': {
    status: 503,
    type: SERVER,
    code: 'service_unavailable',
    message:
      'The service cannot record usage at the moment and takes no new calls. Please try again in {wait}.',
  },
  'upstream-throttled': {
    status: 503,
    type: SERVER,
    code: 'overloaded',
    message:
      'The model `{subject}` is at its capacity everywhere it runs. Please try again in {wait}.',
  },
  'upstream-failed': {
    status: 502,
    type: SERVER,
    code: 'upstream_error',
    message: 'The model `{subject}` failed to answer. Please try again.',
  },
  'upstream-misconfigured': {
    status: 500,
    type: SERVER,
    code: 'upstream_misconfigured',
    message:
      'The model `{subject}` cannot be reached as configured. The operator of this service has to mend it.',
    final: true,
  },
  'first-content-late': {
    status: 504,
    type: SERVER,
    code: 'timeout',
    message: 'The model `{subject}` did not begin to answer in time. Please try again.',
  },
  /** A second try would take as long and cost as much again. */
  'answer-late': {
    status: 504,
    type: SERVER,
    code: 'timeout',
    message:
      'The model `{subject}` did not finish its answer within {wait}. Use streaming ("stream": true), which has no total time limit, or ask for a shorter answer with "max_completion_tokens".',
    final: true,
  },
  'answer-cut': {
    status: 502,
    type: SERVER,
    code: 'upstream_error',
    message: 'The answer of the model `{subject}` broke off. What was sent so far is incomplete.',
  },
  'async-stream': {
    status: 400,
    type: INVALID,
    code: 'unsupported_value',
    message:
      'A stream cannot be fetched later. Send either "stream": true or "Prefer: respond-async", not both.',
  },
  'task-not-found': {
    status: 404,
    type: INVALID,
    code: 'task_not_found',
    message: 'There is no task `{subject}` of yours, or its result has expired.',
  },
  'tasks-unavailable': {
    status: 503,
    type: SERVER,
    code: 'service_unavailable',
    message: 'The task cannot be looked up at the moment. Please try again in {wait}.',
  },
  /** Found out by whoever is asked for it; nobody runs it again by themselves, or it might be paid for twice. */
  'task-lost': {
    status: 500,
    type: SERVER,
    code: 'task_lost',
    message:
      'The server that worked on this request of `{subject}` ended before it could record an answer. Send the request again; what the model did until then may be charged.',
  },
  internal: {
    status: 500,
    type: SERVER,
    code: null,
    message: 'The server had an error while processing your request.',
  },
} as const satisfies Record<string, RefusalTemplate>;

export type RefusalReason = keyof typeof REFUSALS;

export interface RefusalDetails {
  /** What the message is about: a model, a URL, a size. */
  readonly subject?: string | number;
  /** When the caller may come back; for `answer-late`, the limit that passed. */
  readonly waitMs?: number;
}

/** Puts a refusal into OpenAI's shape. */
export function refusal(reason: RefusalReason, details: RefusalDetails = {}): OpenAiError {
  const { status, type, code, message, final }: RefusalTemplate = REFUSALS[reason];
  const text = message
    .replace('{subject}', () => (details.subject === undefined ? 'this' : shown(details.subject)))
    .replace('{wait}', () => formatDuration(details.waitMs ?? 1_000));
  return {
    status,
    error: { message: text, type, param: null, code },
    headers: final ? { 'x-should-retry': 'false' } : retryHeaders(details.waitMs),
  };
}

/** Seconds for everybody, rounded up; milliseconds for clients that can tell. */
function retryHeaders(waitMs: number | undefined): Record<string, string> {
  if (waitMs === undefined) return {};
  const wholeMs = Math.max(0, Math.ceil(waitMs));
  return {
    [HEADERS.retryAfter]: String(Math.max(1, Math.ceil(wholeMs / 1_000))),
    'retry-after-ms': String(wholeMs),
  };
}
