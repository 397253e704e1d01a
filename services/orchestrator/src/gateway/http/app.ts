import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { PATHS } from '@matsuri/contract';
import { Hono, type Context } from 'hono';
import { refusal } from '../core/openai/refusal/refusals';
import { chatCompletions } from './chat-completions';
import { Exchange, header } from './exchange';
import type { HttpOptions } from './http-options';
import { listModels } from './list-models';
import { showCompletionTask } from './respond-async';

interface Env {
  Bindings: HttpBindings;
}
const TASK = `${PATHS.chatCompletions}/:id` as const;

type Work = (exchange: Exchange) => Promise<void> | void;

/** The routes. Answers are written straight to Node's response: a Web stream in between would cost more than all else. */
export function createApp(options: HttpOptions): Hono<Env> {
  const app = new Hono<Env>();
  const { cors } = options;

  const answer = (c: Context<Env>, work: Work): Response => {
    const { incoming, outgoing } = c.env;
    const origin = header(incoming, 'origin');
    const exchange = new Exchange(incoming, outgoing, {
      ...(origin !== undefined && cors.answerHeaders(origin)),
      ...(options.draining() && { connection: 'close' }),
    });
    void options.tracer.join(
      (name) => incoming.headers[name],
      () => finish(exchange, work, options),
    );
    return RESPONSE_ALREADY_SENT;
  };

  app.post(PATHS.chatCompletions, (c) =>
    answer(c, (exchange) => {
      const entry = options.enterCall();
      if (entry.admitted) return chatCompletions(exchange, options);
      exchange.sendError(refusal('overloaded', { waitMs: entry.retryAfterMs }));
    }),
  );
  app.get(TASK, (c) =>
    answer(c, (exchange) => showCompletionTask(exchange, c.req.param('id'), options)),
  );
  app.get(PATHS.models, (c) => answer(c, (exchange) => listModels(exchange, undefined, options)));
  app.get(`${PATHS.models}/:id{.+}`, (c) =>
    answer(c, (exchange) => listModels(exchange, c.req.param('id'), options)),
  );
  for (const { method, path, handle } of options.routes) {
    app.on(method.toUpperCase(), path, (c) =>
      answer(c, (exchange) => handle(exchange, c.req.param('id'))),
    );
  }
  app.options('*', (c) => answer(c, (exchange) => preflight(exchange, options)));
  const added = options.routes.map(({ path }) => path);
  for (const path of new Set([PATHS.chatCompletions, TASK, PATHS.models, ...added])) {
    app.all(path, (c) => answer(c, (exchange) => refuseMethod(exchange)));
  }
  app.notFound((c) =>
    answer(c, (exchange) => {
      const { method = '', url = '' } = exchange.incoming;
      exchange.sendError(refusal('url-unknown', { subject: `${method} ${url}` }));
    }),
  );
  return app;
}

/** Sees an exchange to its end, and says what was remarkable about it. */
async function finish(exchange: Exchange, work: Work, options: HttpOptions): Promise<void> {
  const { log, observer, configuration } = options;
  try {
    await work(exchange);
  } catch (err) {
    if (!exchange.departed.aborted) {
      log.error('request failed', { request_id: exchange.requestId, err });
      exchange.sendError(refusal('internal'));
    }
  }
  const tookMs = exchange.elapsedMs;
  observer.responded(tookMs);
  const { requestId: request_id, model } = exchange;
  const facts = { request_id, model, duration_ms: Math.round(tookMs) };
  if (exchange.departed.aborted) {
    observer.clientLeft();
    log.info('client left', { ...facts, client_disconnected: true });
  } else if (tookMs > configuration.timeouts.longCallLogMs) {
    log.info('long call', facts);
  }
}

function preflight(exchange: Exchange, { cors }: HttpOptions): void {
  const { incoming, outgoing } = exchange;
  const headers = cors.preflightHeaders(
    header(incoming, 'origin'),
    header(incoming, 'access-control-request-headers'),
  );
  outgoing.writeHead(headers ? 204 : 403, exchange.headers(headers ?? {}));
  outgoing.end();
}

function refuseMethod(exchange: Exchange): void {
  const { method = '', url = '' } = exchange.incoming;
  exchange.sendError(refusal('method-not-allowed', { subject: `${method} ${url}` }));
}
