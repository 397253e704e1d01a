import { RedisScript } from '@matsuri/resilience';

/**
 * Decides who answers a message. Epochs never go back, even where the counter was lost, because no epoch is lower than
 * the clock of the task that claims it; the one after an answer's is left to its loss. An id the same as, or lower than,
 * the last one is refused by the stream itself: a task that was thought dead cannot write into the answer that replaced
 * its own.
 */
export const CLAIM = new RedisScript(`
local lost = {}
for at = 5, #ARGV do lost[ARGV[at]] = true end
local known = redis.call('GET', KEYS[2])
if known and not lost[string.match(known, '^%d+')] then return { 'known', known } end
local writer = redis.call('HMGET', KEYS[1], 'answer', 'ended')
local newest = writer[1] and string.match(writer[1], '^%d+')
if newest and newest ~= writer[2] and not lost[newest] then return { 'busy', writer[1] } end
local epoch = math.max((tonumber(newest) or 0) + 2, tonumber(ARGV[1]))
local message = known and string.match(known, '^%d+ (%S+)') or ARGV[2]
local answer = string.format('%.0f %s %s', epoch, message, ARGV[3])
redis.call('HSET', KEYS[1], 'answer', answer)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], answer, 'PX', ARGV[4])
return { 'new', answer }
`);

/** Says again whose answer it is, also to a Redis that never knew or has forgotten, unless a later one has begun. */
export const RENEW = new RedisScript(`
local newest = redis.call('HGET', KEYS[1], 'answer')
if newest and tonumber(string.match(newest, '^%d+')) > tonumber(ARGV[1]) then return 0 end
local answer = string.format('%s %s %s', ARGV[1], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[1], 'answer', answer)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SET', KEYS[2], answer, 'PX', ARGV[4])
redis.call('PEXPIRE', KEYS[3], ARGV[4])
return 1
`);
