import {
  parseFrameId,
  serverFrameSchema,
  sessionKeys,
  type FramePosition,
} from '@matsuri/contract';
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
import { CLAIM, RENEW } from './frame-log-scripts';
import { within } from './within';

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

const claimReply = z.tuple([z.enum(['new', 'known', 'busy']), z.string()]);
const entriesReply = z.array(z.tuple([z.string(), z.tuple([z.literal('f'), z.string()])]));
const framesOfEntry = z.array(serverFrameSchema);

/** Keeps frames in one stream per session, whose ids are the frames' own. */
export function createRedisFrameLog(options: RedisFrameLogOptions): FrameLog {
  const { redis, taskId, retentionMs, patienceMs } = options;
  const soon = <T>(asked: Promise<T>): Promise<T> => within(asked, patienceMs);
  const alive = sessionKeys.task(taskId);
  let isWriting = false;

  const topSeq = async (session: SessionRef, epoch: number): Promise<number | undefined> => {
    const newest = entriesReply.parse(
      await redis.xrevrange(sessionKeys.frames(session), '+', '-', 'COUNT', 1),
    );
    const position = parseFrameId((newest[0]?.[0] ?? '0-0').replace('-', ':'));
    return position?.epoch === epoch ? position.seq : undefined;
  };

  const outcomeOf = async (
    write: FrameWrite,
    [error, id]: readonly [error: Error | null, result: unknown],
  ): Promise<WriteOutcome> => {
    const last = write.frames.at(-1)?.seq ?? 0;
    if (!error) return id === null ? { kind: 'forgotten' } : { kind: 'kept', seq: last };
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
      const { leastEpoch, messageId, lostEpochs = [] } = claim;
      const args = [leastEpoch, messageId, taskId, retentionMs, ...lostEpochs];
      return outcomeOfClaim(await soon(CLAIM.run(redis, keys, args)));
    },

    async renew(answers) {
      const told = answers.map(async ({ session, clientMessageId, messageId, epoch }) => {
        const message = sessionKeys.message(session, clientMessageId);
        const keys = [sessionKeys.epoch(session), message, sessionKeys.frames(session)];
        return soon(RENEW.run(redis, keys, [epoch, messageId, taskId, retentionMs]));
      });
      return (await whatCame(told)).map((reply) => (reply === undefined ? reply : reply === 1));
    },

    async write(writes) {
      // What a Redis that hangs has not answered yet is not sent again and again.
      if (isWriting) return writes.map(() => FAILED);
      const pipeline = redis.pipeline();
      const places = writes.map((write) => {
        const place = pipeline.length;
        const frames = sessionKeys.frames(write.session);
        const first = write.frames[0]?.seq ?? 0;
        const id = `${write.epoch}-${write.frames.at(-1)?.seq ?? 0}`;
        const entry = `[${write.frames.map(({ text }) => text).join(',')}]`;
        // A stream that is not there any more is begun from the start, never in the middle and without an end to its time.
        const onlyThere = first === 0 ? [] : ['NOMKSTREAM'];
        pipeline.xadd(frames, ...onlyThere, 'MAXLEN', '~', MAX_ENTRIES, id, 'f', entry);
        if (first === 0 || write.ended) pipeline.pexpire(frames, retentionMs);
        if (write.ended) {
          pipeline.hset(sessionKeys.epoch(write.session), 'ended', write.epoch);
          pipeline.pexpire(sessionKeys.epoch(write.session), retentionMs);
        }
        return place;
      });
      try {
        isWriting = true;
        const replied = pipeline.exec().finally(() => (isWriting = false));
        const replies = await soon(replied);
        const added = places.map((place) => replies?.[place] ?? LOST);
        const outcomes = writes.map((write, at) => outcomeOf(write, added[at] ?? LOST));
        return (await whatCame(outcomes)).map((outcome) => outcome ?? FAILED);
      } catch {
        return writes.map(() => FAILED);
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

    async isMade(session, { epoch, taskId: maker }) {
      const newest = redis.hget(sessionKeys.epoch(session), 'answer');
      const alive = redis.exists(sessionKeys.task(maker));
      const [answer, lives] = await soon(Promise.all([newest, alive]));
      return lives === 1 && answer !== null && knownAnswer(answer).epoch === epoch;
    },

    async attend(session, attention) {
      const key = sessionKeys.attention(session);
      // Reading on must not unsay a cancel that has not been heard yet.
      if (attention === 'reading') {
        await soon(redis.set(key, attention, 'PX', ATTENTION_MS, 'NX'));
      } else await soon(redis.set(key, CANCEL + attention.cancel, 'PX', ATTENTION_MS));
    },

    async takeAttentions(sessions) {
      const told = sessions.map((session) => soon(redis.getdel(sessionKeys.attention(session))));
      return (await whatCame(told)).map(attentionIn);
    },

    async beat() {
      return (await soon(redis.set(alive, '1', 'PX', TASK_LEASE_MS, 'GET'))) !== null;
    },

    async retire() {
      await soon(redis.del(alive));
    },
  };
}

const CANCEL = 'cancel ';

function attentionIn(stored: string | null | undefined): Attention | undefined {
  if (stored?.startsWith(CANCEL)) return { cancel: stored.slice(CANCEL.length) };
  return stored === 'reading' ? stored : undefined;
}

const FAILED: WriteOutcome = { kind: 'failed' };
const LOST: readonly [Error, unknown] = [new Error('the reply was lost'), undefined];

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

/** Each in its place; `undefined` for what did not come. */
async function whatCame<T>(asked: readonly Promise<T>[]): Promise<readonly (T | undefined)[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((it) => (it.status === 'fulfilled' ? it.value : undefined));
}
