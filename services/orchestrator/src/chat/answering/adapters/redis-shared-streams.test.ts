import { UNBOUNDED, withDeadline } from '@matsuri/resilience';
import { createRedisSharedStreams } from './redis-shared-streams';

const COMMAND_MS = 500;
const EPOCH = 7;
const QUESTION = { tenantId: 'tenant', questionDigest: 'digest' };
const never = () => new Promise<never>(() => undefined);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A stream that this task leads, in a Redis that hangs from then on. */
async function leadAndHang() {
  let hangs = false;
  const script = () => (hangs ? never() : Promise.resolve([1, EPOCH, 3_000]));
  const pipeline = { xadd: () => pipeline, pexpire: () => pipeline, exec: never };
  const redis = { eval: script, evalsha: script, exists: never, pipeline: () => pipeline };
  const streams = createRedisSharedStreams({
    redis: redis as never,
    taskId: 'task',
    run: (command) => withDeadline(UNBOUNDED, COMMAND_MS, command),
  });
  const claim = await streams.claim(QUESTION);
  if (claim.kind !== 'leading') throw new Error('nobody else is there');
  hangs = true;
  return claim.stream;
}

test('whether anybody reads elsewhere is not waited for longer than for any command', async () => {
  const stream = await leadAndHang();
  const asked = expect(stream.hasReaders()).rejects.toThrow(`${COMMAND_MS} ms`);
  await jest.advanceTimersByTimeAsync(COMMAND_MS);
  await asked;
});

test('a stream is closed within the time of its lease, whatever is under way', async () => {
  const stream = await leadAndHang();
  stream.publish({ type: 'broken' });
  let closed = false;
  void stream.close().then(
    () => (closed = true),
    () => (closed = true),
  );
  await jest.advanceTimersByTimeAsync(3_000 + COMMAND_MS);
  expect(closed).toBe(true);
});

test('a lease that cannot be renewed in time is lost', async () => {
  const stream = await leadAndHang();
  await jest.advanceTimersByTimeAsync(1_000 + COMMAND_MS);
  expect(await stream.hasReaders()).toBe(false);
});
