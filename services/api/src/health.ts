import { PATHS } from '@matsuri/contract';
import { Hono } from 'hono';

/** Whether traffic should come. */
export interface Readiness {
  ready: boolean;
}

/**
 * Health on a listener of its own, which nothing sheds or limits. It is shallow: a database that is down takes no
 * task out of service, since another task would fare no better.
 */
export function createHealthApp(readiness: Readonly<Readiness>): Hono {
  const app = new Hono();
  app.get(PATHS.health, (c) => c.json({ status: 'alive' }));
  app.get(PATHS.ready, (c) =>
    readiness.ready ? c.json({ status: 'ready' }) : c.json({ status: 'draining' }, 503),
  );
  return app;
}
