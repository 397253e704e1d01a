export {
  createLogger,
  LOG_LEVELS,
  type LogFields,
  type Logger,
  type LoggerOptions,
  type LogLevel,
} from './logger';
export { prettyLines, type PrettyOptions } from './pretty-lines';
export { stdoutLines, type WriteLine } from './stdout';
export { createMetrics, type DimensionsOf, type Metrics, type MetricsOptions } from './metrics';
export { createTracer, type Tracer, type TracerOptions } from './tracer';

export { redact, redactText } from './core/redact';
export {
  REDACT_LIMITS,
  type JsonObject,
  type JsonValue,
  type RedactLimits,
  type RedactOptions,
} from './core/redaction-walk';
export { inertText, type LineBreaks } from './core/inert-text';
export { parseEmf, type MetricPoint, type MetricSample } from './core/parse-emf';
export { renderEmf, type EmfOptions } from './core/render-emf';
export { msUntilPeriodEnd, PERIOD_MS, periodStartMs } from './core/period';
export {
  childSpan,
  continueTrace,
  outgoingHeaders,
  type HeaderLookup,
  type TraceContext,
} from './core/trace-context';
export { formatTraceparent, parseTraceparent, type TraceParent } from './core/traceparent';
export { formatTracestate, parseTracestate, type TracestateMember } from './core/tracestate';
export { formatAmazonTrace, parseAmazonTrace, type AmazonTrace } from './core/amazon-trace';

export { startReport, type Report, type ReportOptions, type ReportOutput } from './report';
export { commitOf, workspaceRoot } from './workspace';
export { renderTable, type TableRow } from './core/render-table';
export { figureProblems, type Figure, type Figures } from './core/report-figures';
