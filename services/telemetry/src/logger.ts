import { pino } from 'pino';

import { isMembers } from './core/json-members';
import { redact, redactText } from './core/redact';
import type { JsonValue, RedactOptions } from './core/redaction-walk';
import type { TraceContext } from './core/trace-context';
import { prettyLines } from './pretty-lines';
import type { WriteLine } from './stdout';
import { stdoutLines } from './stdout';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts that go with a message. An error goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

type LogMethod = (message: string, fields?: LogFields) => void;

/** Says what happened, with its facts. Neither secrets nor prompts come out, and no call throws because of what it was given. */
export interface Logger extends Readonly<Record<LogLevel, LogMethod>> {
  /** A logger that adds these fields to every line: the request's id, the worker's. */
  child(fields: LogFields): Logger;
  isEnabled(level: LogLevel): boolean;
}

export interface LoggerOptions extends RedactOptions {
  readonly service: string;
  /** @default 'info' */
  readonly level?: LogLevel | 'silent';
  /** Added to every line. */
  readonly fields?: LogFields;
  /** Where we are in which trace; usually `tracer.current`. */
  readonly trace?: () => TraceContext | undefined;
  /** @default standard output */
  readonly write?: WriteLine;
  /**
   * Lines for a person instead of JSON.
   *
   * @default whether standard output is a terminal
   */
  readonly pretty?: boolean;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

type PlainFields = Readonly<Record<string, JsonValue>>;

/** Ours on every line; a field that happens to be called so gets a trailing underscore. */
const RESERVED = new Set(['level', 'time', 'msg', 'service', 'trace_id', 'span_id']);

export function createLogger(options: LoggerOptions): Logger {
  const engine = createEngine(options);
  const plain = (fields: LogFields): PlainFields => plainFields(fields, options);
  const trace = options.trace ?? (() => undefined);
  return bind(options.fields === undefined ? {} : plain(options.fields));

  function bind(bound: PlainFields): Logger {
    const say = (level: LogLevel): LogMethod => {
      return (message, fields) => {
        if (!engine.isLevelEnabled(level)) return;
        const said = fields === undefined ? bound : { ...bound, ...plain(fields) };
        engine[level](
          { fields: { ...traceFields(trace()), ...said } },
          redactText(message, options),
        );
      };
    };
    return {
      trace: say('trace'),
      debug: say('debug'),
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      fatal: say('fatal'),
      child: (fields) => bind({ ...bound, ...plain(fields) }),
      isEnabled: (level) => engine.isLevelEnabled(level),
    };
  }
}

function createEngine(options: LoggerOptions): pino.Logger {
  const clock = options.clock ?? Date.now;
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        // Handed over one level down, fields cannot be taken for a request or a response by the engine.
        log: ({ fields }) => (isMembers(fields) ? fields : {}),
      },
      serializers: { err: (plainError: unknown) => plainError },
    },
    { write: writerFor(options) },
  );
}

function writerFor(options: LoggerOptions): WriteLine {
  const write = options.write ?? stdoutLines();
  if (!(options.pretty ?? process.stdout.isTTY)) return write;
  const pretty = prettyLines();
  return (line) => write(pretty(line));
}

function plainFields(fields: LogFields, options: RedactOptions): PlainFields {
  // An error given in place of fields is what it looks like.
  const plain = redact(fields instanceof Error ? { err: fields } : fields, options);
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) return { fields: plain };
  return Object.fromEntries(
    Object.entries(plain).map(([name, member]) => [RESERVED.has(name) ? `${name}_` : name, member]),
  );
}

function traceFields(context: TraceContext | undefined): PlainFields {
  if (context === undefined) return {};
  const { traceId, spanId, loadBalancerRoot } = context;
  return {
    trace_id: traceId,
    span_id: spanId,
    ...(loadBalancerRoot !== undefined && { load_balancer_root: loadBalancerRoot }),
  };
}
