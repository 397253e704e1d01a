import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerFrame } from '@matsuri/contract';
import { LIMIT_REDIS_OPTIONS } from '@matsuri/resilience';
import { Redis } from 'ioredis';
import { aCall } from '../../../gateway/testing/gateway-stage';
import type { SessionRef } from '../../ports';
import { Answers, type Asked } from '../answers';
import type { Reader } from '../answer-run';
import type { PlacedFrame } from '../core/placed-frame';
import { Door } from '../door';
import { createRedisFrameLog } from '../redis-frame-log';
import { FakeAnswerer } from './fake-answerer';

const SILENT = { debug: () => undefined, warn: () => undefined, error: () => undefined };

/** Models with nothing to do. */
export const IDLE_GATEWAY = {
  figures: () => ({ active: 0, waiting: 0, inFlight: 0, outside: 0, meanHeldMs: undefined }),
  turnedAway: () => undefined,
};

export const newSession = (): SessionRef => ({
  tenantId: 'tenant-1',
  userId: 'user-1',
  sessionId: randomUUID(),
});

export const asked = (session: SessionRef, clientMessageId: string): Asked => ({
  session,
  clientMessageId,
  caller: aCall().caller,
  text: 'question',
});

/** The answers of one task, without connections, over a link to Redis that can be cut and mended. */
export async function startAnswersTask(url: string, frameRetentionSeconds = 300) {
  const redis = new Redis(url, { ...LIMIT_REDIS_OPTIONS, lazyConnect: true });
  redis.on('error', () => undefined);
  await redis.connect();
  const taskId = randomUUID();
  const retentionMs = frameRetentionSeconds * 1_000;
  const frameLog = createRedisFrameLog({ redis, taskId, retentionMs });
  const answerer = new FakeAnswerer();
  const door = new Door({
    slots: 10,
    maxInHand: 10,
    maxQueueMs: 1_000,
    shedAtLoopDelayMs: 10_000,
    maxConnections: 10,
    gateway: IDLE_GATEWAY,
    onShed: () => undefined,
  });
  const answers = new Answers({
    answerer,
    frameLog,
    door,
    settings: { detachedSeconds: 15, frameRetentionSeconds },
    log: SILENT,
    onBegun: () => undefined,
  });
  return {
    redis,
    frameLog,
    answerer,
    answers,
    door,
    cut: async (): Promise<void> => {
      const cut = once(redis, 'end');
      redis.disconnect();
      await cut;
    },
    mend: () => redis.connect(),
    async close(): Promise<void> {
      await answers.close();
      door.close();
      redis.disconnect();
    },
  };
}

export type AnswersTask = Awaited<ReturnType<typeof startAnswersTask>>;

/** Somebody who remembers what was heard. */
export class Listener implements Reader {
  readonly heard: PlacedFrame[] = [];

  take(frames: readonly PlacedFrame[]): void {
    this.heard.push(...frames);
  }

  get frames(): readonly ServerFrame[] {
    return this.heard.map(({ text }) => JSON.parse(text) as ServerFrame);
  }

  /** What the answer says so far. */
  get text(): string {
    return this.frames.map((frame) => (frame.type === 'delta' ? frame.text : '')).join('');
  }
}
