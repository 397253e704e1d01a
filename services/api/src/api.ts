import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';

/** What handlers find in their context. */
export interface ApiEnv {
  Bindings: Partial<HttpBindings>;
  Variables: { requestId: string };
}

/** The app that routes add themselves to. */
export type Api = OpenAPIHono<ApiEnv>;
