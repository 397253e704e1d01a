import { configure, type PlatformOverrides } from '@matsuri/contract';
import type { UsagePage, UsageSummary, UsageSummaryQuery } from '@matsuri/database';
import { VirtualClock } from '@matsuri/resilience/testing';
import { createLogger, createTracer } from '@matsuri/telemetry';
import { createApp, type AppOptions } from '../src';
import { fakeTokenStore, type FakeTokenStore } from './fake-token-store';

export const ADMIN_TOKEN = 'the-administrator-of-the-tests-has-this-secret';
export const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

/** The app over fakes, and what it said and asked on the way. */
export interface AppStage {
  readonly app: ReturnType<typeof createApp>;
  /** A request of anyone. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly tokens: FakeTokenStore;
  readonly clock: VirtualClock;
  /** Every line that was logged. */
  readonly lines: string[];
  readonly asked: UsageSummaryQuery[];
  usagePage: UsagePage<UsageSummary>;
  /** A request of the administrator. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

interface StageOptions extends Partial<AppOptions> {
  readonly overrides?: PlatformOverrides;
}

export function setAppStage({ overrides, ...options }: StageOptions = {}): AppStage {
  const lines: string[] = [];
  const asked: UsageSummaryQuery[] = [];
  const clock = new VirtualClock();
  const tokens = fakeTokenStore(() => NOW_MS);
  const log = createLogger({
    service: 'api',
    level: 'debug',
    write: (line) => lines.push(line),
    pretty: false,
  });
  const app = createApp({
    tokens,
    usage: {
      summarise: (query) => {
        asked.push(query);
        return Promise.resolve(stage.usagePage);
      },
    },
    platform: configure(overrides),
    adminToken: ADMIN_TOKEN,
    allowedOrigins: ['https://console.example'],
    log,
    metrics: { record: () => undefined },
    tracer: createTracer(),
    clock,
    wallClockMs: () => NOW_MS,
    ...options,
  });
  const ask: AppStage['ask'] = async (path, init) => app.request(path, init, {});
  const stage: AppStage = {
    app,
    ask,
    tokens,
    clock,
    lines,
    asked,
    usagePage: { rows: [] },
    call: (method, path, body, headers = {}) =>
      ask(path, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  };
  return stage;
}

/** An answer's JSON, for assertions. */
export async function json(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}
