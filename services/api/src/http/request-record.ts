import { METRICS } from '@matsuri/contract';
import type { Logger, Metrics, Tracer } from '@matsuri/telemetry';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../api';

export interface RecordOptions {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'record'>;
  readonly tracer: Tracer;
  /** Monotonic. */
  readonly nowMs: () => number;
}

const MAX_PATH_LENGTH = 200;

/** One line and one reading per request; queries, headers and bodies stay out of both. */
export function requestRecord({
  log,
  metrics,
  tracer,
  nowMs,
}: RecordOptions): MiddlewareHandler<ApiEnv> {
  return async function recording(c, next) {
    const startedMs = nowMs();
    await tracer.run(
      tracer.accept((name) => c.req.header(name)),
      async () => {
        await next();
        const durationMs = nowMs() - startedMs;
        metrics.record(METRICS.responseTime, durationMs);
        log.info('request', {
          request_id: c.get('requestId'),
          method: c.req.method,
          path: c.req.path.slice(0, MAX_PATH_LENGTH),
          status: c.res.status,
          duration_ms: Math.round(durationMs * 100) / 100,
        });
      },
    );
  };
}
