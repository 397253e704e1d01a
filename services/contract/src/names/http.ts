/** Ports inside a container; the API's is a dynamic port on its host. */
export const PORTS = {
  orchestrator: 8080,
  /** Health is answered on its own listener, so that load shedding never touches it. */
  orchestratorHealth: 8081,
  api: 8090,
  apiHealth: 8091,
  /** Health of programs that serve nobody: autoscaler, jobs, worker. */
  backgroundHealth: 8099,
} as const;

/** Paths that more than one program or a load balancer knows. */
export const PATHS = {
  /** Alive; shallow, never shed. */
  health: '/healthz',
  /** Ready for traffic; turns off before drain. */
  ready: '/readyz',
  chatCompletions: '/v1/chat/completions',
  models: '/v1/models',
  sessions: '/v1/sessions',
  tokens: '/v1/tokens',
  usage: '/v1/usage',
  workers: '/v1/workers',
  jobs: '/v1/jobs',
  openapi: '/openapi.json',
} as const;

/** Header names in lower case, as Node reads them. */
export const HEADERS = {
  requestId: 'x-request-id',
  servedBy: 'x-served-by',
  degraded: 'x-degraded',
  retryAfter: 'retry-after',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  /** The end user, as the caller's backend asserts it: believed because of the API token that comes with it. */
  endUser: 'x-end-user',
  originVerify: 'x-origin-verify',
  idempotencyKey: 'idempotency-key',
  /** RFC 7240: `respond-async` asks for an answer that is fetched later. */
  prefer: 'prefer',
  preferenceApplied: 'preference-applied',
  location: 'location',
  lastEventId: 'last-event-id',
  rateLimitLimitRequests: 'x-ratelimit-limit-requests',
  rateLimitLimitTokens: 'x-ratelimit-limit-tokens',
  rateLimitRemainingRequests: 'x-ratelimit-remaining-requests',
  rateLimitRemainingTokens: 'x-ratelimit-remaining-tokens',
  rateLimitResetRequests: 'x-ratelimit-reset-requests',
  rateLimitResetTokens: 'x-ratelimit-reset-tokens',
} as const;

/** Close codes of a chat WebSocket. */
export const CLOSE_CODES = {
  /** Only text is spoken here. */
  unsupportedData: 1003,
  /** The API token has expired or was revoked, or there were too many frames or fragments. */
  policyViolation: 1008,
  messageTooBig: 1009,
  /** The task drains: reconnect, any other task continues the answer. */
  serviceRestart: 1012,
  /** What the client wants to go on with cannot be looked up at the moment: it reconnects and asks again. */
  tryAgainLater: 1013,
} as const;
