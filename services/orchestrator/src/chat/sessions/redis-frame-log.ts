import {
  parseFrameId,
  serverFrameSchema,
  sessionKeys,
  type FramePosition,
} from '@matsuri/contract';
import { RedisScript } from '@matsuri/resilience';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { SessionRef } from '../ports';
import { placeFrame, type PlacedFrame } from './core/placed-frame';
import type {
  Attention,
  ClaimOutcome,
  FrameLog,
  FrameWrite,
  KnownAnswer,
  WriteOutcome,
} from './frame-log';

export interface RedisFrameLogOptions {
  readonly redis: Redis;
  readonly taskId: string;
  readonly retentionMs: number;
  /** Longest wait for an answer of Redis. @default 500 */
  readonly patienceMs?: number;
}

// Far more than an answer has; a longer one can be continued near its end only.
const MAX_ENTRIES = 2_000;
/** A task is missed when it has not said for this long that it lives. */
const TASK_LEASE_MS = 3_000;
const ATTENTION_MS = 5_000;
const PATIENCE_MS = 500;

/**
 * Epochs never go back, even where the counter was lost, because no epoch is lower than the clock of the task that
 * claims it. An id the same as, or lower than, the last one is refused by the stream itself: a task that was thought
 * dead cannot write into the answer that replaced its own.
 */
const CLAIM = new RedisScript(`
local known = redis.call('GET', KEYS[2])
local lost = ARGV[6]
if known and string.match(known, '^%d+') ~= lost then return { 'known', known } end
local writer = redis.call('HMGET', KEYS[1], 'answer', 'ended')
local newest = writer[1] and string.match(writer[1], '^%d+')
if newest and newest ~= writer[2] and newest ~= lost then return { 'busy', writer[1] } end
local epoch = math.max((tonumber(newest) or 0) + 1, tonumber(ARGV[1]))
local message = known and string.match(known, '^%d+ (%S+)') or ARGV[2]
local answer = string.format('%.0f %s %s', epoch, message, ARGV[3])
redis.call('HSET', KEYS[1], 'answer', answer)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], answer, 'PX', ARGV[4])
return { 'new', answer }
`);

const claimReply = z.tuple([z.enum(['new', 'known', 'busy']), z.string()]);
const entriesReply = z.array(z.tuple([z.string(), z.tuple([z.literal('f'), z.string()])]));
const framesOfEntry = z.array(serverFrameSchema);

/** Keeps frames in one stream per session, whose ids are the frames' own. */
export function createRedisFrameLog(options: RedisFrameLogOptions): FrameLog {
  const { redis, taskId, retentionMs, patienceMs = PATIENCE_MS } = options;
  const soon = <T>(asked: Promise<T>): Promise<T> => within(patienceMs, asked);
  const alive = sessionKeys.task(taskId);

  const topSeq = async (session: SessionRef, epoch: number): Promise<number | undefined> => {
    const newest = entriesReply.parse(
      await redis.xrevrange(sessionKeys.frames(session), '+', '-', 'COUNT', 1),
    );
    const position = parseFrameId((newest[0]?.[0] ?? '0-0').replace('-', ':'));
    return position?.epoch === epoch ? position.seq : undefined;
  };

  const outcomeOf = async (write: FrameWrite, error: Error | null): Promise<WriteOutcome> => {
    const last = write.frames.at(-1)?.seq ?? 0;
    if (!error) return { kind: 'kept', seq: last };
    if (!error.message.includes('equal or smaller')) return { kind: 'failed' };
    // A write whose reply was lost may have arrived; a later epoch is somebody else's.
    const seq = await soon(topSeq(write.session, write.epoch));
    return seq === undefined ? { kind: 'superseded' } : { kind: 'kept', seq };
  };

  return {
    taskId,

    async claim(claim) {
      const { session, clientMessageId } = claim;
      const keys = [sessionKeys.epoch(session), sessionKeys.message(session, clientMessageId)];
      const { leastEpoch, messageId, lostEpoch = 0 } = claim;
      const args = [leastEpoch, messageId, taskId, retentionMs, '', lostEpoch];
      return outcomeOfClaim(await soon(CLAIM.run(redis, keys, args)));
    },

    async write(writes) {
      const pipeline = redis.pipeline();
      const places = writes.map((write) => {
        const place = pipeline.length;
        const frames = sessionKeys.frames(write.session);
        const first = write.frames[0]?.seq ?? 0;
        const id = `${write.epoch}-${write.frames.at(-1)?.seq ?? 0}`;
        const entry = `[${write.frames.map(({ text }) => text).join(',')}]`;
        pipeline.xadd(frames, 'MAXLEN', '~', MAX_ENTRIES, id, 'f', entry);
        if (first === 0 || write.ended) pipeline.pexpire(frames, retentionMs);
        if (write.ended) {
          pipeline.hset(sessionKeys.epoch(write.session), 'ended', write.epoch);
          pipeline.pexpire(sessionKeys.epoch(write.session), retentionMs);
        }
        return place;
      });
      try {
        const replies = await soon(pipeline.exec());
        const errors = places.map((place) => (replies ? (replies[place]?.[0] ?? null) : LOST));
        return await Promise.all(writes.map((write, at) => outcomeOf(write, errors[at] ?? null)));
      } catch {
        return writes.map(() => ({ kind: 'failed' }));
      }
    },

    async read(session, { epoch, seq }) {
      const from = seq < 0 ? `${epoch}-0` : `(${epoch}-${seq}`;
      const reply = await soon(redis.xrange(sessionKeys.frames(session), from, `${epoch}`));
      const entries = entriesReply.parse(reply).map(([, [, text]]) => text);
      return onceEach(entries.flatMap(framesIn), seq);
    },

    async newest(session) {
      const answer = await soon(redis.hget(sessionKeys.epoch(session), 'answer'));
      return answer === null ? undefined : knownAnswer(answer);
    },

    isAlive: async (task) => (await soon(redis.exists(sessionKeys.task(task)))) === 1,

    async attend(session, attention) {
      const key = sessionKeys.attention(session);
      // Reading on must not unsay a cancel that has not been heard yet.
      if (attention === 'reading') {
        await soon(redis.set(key, attention, 'PX', ATTENTION_MS, 'NX'));
      } else await soon(redis.set(key, CANCEL + attention.cancel, 'PX', ATTENTION_MS));
    },

    async takeAttentions(sessions) {
      const told = sessions.map((session) => soon(redis.getdel(sessionKeys.attention(session))));
      return (await Promise.all(told)).map(attentionIn);
    },

    async beat() {
      await soon(redis.set(alive, '1', 'PX', TASK_LEASE_MS));
    },

    async retire() {
      await soon(redis.del(alive));
    },
  };
}

const CANCEL = 'cancel ';

function attentionIn(stored: string | null): Attention | undefined {
  if (stored?.startsWith(CANCEL)) return { cancel: stored.slice(CANCEL.length) };
  return stored === 'reading' ? stored : undefined;
}

const LOST = new Error('the reply was lost');

function outcomeOfClaim(reply: unknown): ClaimOutcome {
  const [kind, answer] = claimReply.parse(reply);
  return { kind, ...knownAnswer(answer) };
}

function knownAnswer(text: string): KnownAnswer {
  const [epoch = '', messageId = '', taskId = ''] = text.split(' ');
  return { epoch: Number(epoch), messageId, taskId };
}

function framesIn(text: string): PlacedFrame[] {
  return framesOfEntry.parse(JSON.parse(text)).flatMap(({ id, ...frame }) => {
    const position: FramePosition | undefined = parseFrameId(id);
    return position ? [placeFrame(position, frame)] : [];
  });
}

/** A bundle that was written again, because its reply was lost, may be there twice. */
function onceEach(frames: readonly PlacedFrame[], afterSeq: number): PlacedFrame[] {
  let last = afterSeq;
  return frames.filter(({ seq }) => {
    if (seq <= last) return false;
    last = seq;
    return true;
  });
}

/** A Redis that hangs must not hang a chat. */
async function within<T>(patienceMs: number, asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Redis did not answer in time')), patienceMs);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
