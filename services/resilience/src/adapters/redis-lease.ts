import { integersOf, RedisScript, type ScriptClient } from './redis-script';

/**
 * Who may do something that only one should do, such as pre-warming a cache. It saves work, it does not guard data:
 * whoever writes under a lease passes the epoch along and lets the store reject an older one.
 *
 * The epoch grows with every new holder. It is at least the server's time in milliseconds, so it
 * keeps growing even if the server forgets everything.
 */
const LEASE_SCRIPT = new RedisScript(`
local op, owner, epoch, ttlMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local REMEMBER_MS = 86400000
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'owner', 'epoch', 'until')
local holder, heldEpoch, heldUntil = stored[1], tonumber(stored[2] or 0), tonumber(stored[3] or 0)
local held = heldUntil > now

local function keep(newEpoch, untilMs)
  redis.call('HSET', KEYS[1], 'owner', owner,
    'epoch', string.format('%.0f', newEpoch), 'until', string.format('%.0f', untilMs))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ttlMs + REMEMBER_MS))
end

if op == 'acquire' then
  if held then return { 0, heldEpoch, heldUntil - now } end
  local newEpoch = math.max(heldEpoch + 1, now)
  keep(newEpoch, now + ttlMs)
  return { 1, newEpoch, ttlMs }
end
if not held or holder ~= owner or heldEpoch ~= epoch then return { 0, heldEpoch, 0 } end
if op == 'renew' then keep(epoch, now + ttlMs) else keep(epoch, now) end
return { 1, epoch, ttlMs }
`);

export interface RedisLeaseOptions {
  readonly redis: ScriptClient;
  readonly key: string;
  /** Distinct for every process. */
  readonly owner: string;
  readonly ttlMs: number;
}

export type LeaseResult =
  | { readonly kind: 'acquired'; readonly lease: HeldLease }
  | { readonly kind: 'taken'; readonly epoch: number; readonly freeInMs: number };

/** Ours until it is not renewed in time. */
export interface HeldLease {
  /** The fencing token: larger than that of every earlier holder. */
  readonly epoch: number;
  /** `false`: it ran out or went to someone else; stop at once. */
  renew(): Promise<boolean>;
  /** Idempotent; `false` if it was no longer ours. */
  release(): Promise<boolean>;
}

/** One attempt; a throw means that Redis could not be asked. */
export async function acquireLease(options: RedisLeaseOptions): Promise<LeaseResult> {
  const [won, epoch, ms] = await run(options, 'acquire', 0);
  if (won !== 1) return { kind: 'taken', epoch, freeInMs: ms };
  const still = async (op: 'renew' | 'release'): Promise<boolean> =>
    (await run(options, op, epoch))[0] === 1;
  return {
    kind: 'acquired',
    lease: { epoch, renew: () => still('renew'), release: () => still('release') },
  };
}

async function run(
  { redis, key, owner, ttlMs }: RedisLeaseOptions,
  op: 'acquire' | 'renew' | 'release',
  epoch: number,
): Promise<readonly [number, number, number]> {
  const reply = await LEASE_SCRIPT.run(redis, [key], [op, owner, epoch, ttlMs]);
  const [code = 0, current = 0, ms = 0] = integersOf(reply, 3);
  return [code, current, ms];
}
