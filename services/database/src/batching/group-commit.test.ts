import fc from 'fast-check';
import { manualTimers } from '../../test/manual-timers';
import { DatabaseUnavailableError } from '../errors';
import { createGroupCommit } from './group-commit';
import type { BatchResult, GroupCommitOptions } from './group-commit';

/** A lane whose batches end when the test says so. */
function lane(overrides: Partial<GroupCommitOptions<number, string>> = {}) {
  const timers = manualTimers();
  const batches: {
    readonly items: readonly number[];
    readonly end: PromiseWithResolvers<readonly BatchResult<string>[]>;
  }[] = [];
  const late: number[] = [];
  const commit = createGroupCommit<number, string>({
    write(items) {
      const end = Promise.withResolvers<readonly BatchResult<string>[]>();
      batches.push({ items, end });
      return end.promise;
    },
    maxBatch: 10,
    maxWaiting: 100,
    maxInFlight: 1,
    timers,
    onLate: (item) => void late.push(item),
    ...overrides,
  });
  const sizes = () => batches.map(({ items }) => items.length);
  const succeed = (index: number) =>
    batches[index]?.end.resolve(batches[index].items.map((item) => ({ ok: `wrote ${item}` })));
  return { commit, batches, late, timers, sizes, succeed };
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) => (error instanceof DatabaseUnavailableError ? error.reason : error),
  );

test('an item alone goes out at once', async () => {
  const { commit, batches, succeed } = lane();
  const written = commit.submit(1);
  await turn();
  expect(batches[0]?.items).toEqual([1]);
  succeed(0);
  expect(await written).toBe('wrote 1');
});

test('what comes while a batch is under way goes out together after it', async () => {
  const { commit, sizes, succeed } = lane();
  const all = [commit.submit(1)];
  await turn();
  for (const item of [2, 3, 4]) all.push(commit.submit(item));
  await turn();
  expect(sizes()).toEqual([1]);
  succeed(0);
  await turn();
  expect(sizes()).toEqual([1, 3]);
  succeed(1);
  expect(await Promise.all(all)).toEqual(['wrote 1', 'wrote 2', 'wrote 3', 'wrote 4']);
});

test('no batch is larger than its limit, and no more are under way than allowed', async () => {
  const { commit, sizes } = lane({ maxBatch: 2, maxInFlight: 2 });
  for (const item of [1, 2, 3, 4, 5]) void commit.submit(item);
  await turn();
  expect(sizes()).toEqual([2, 2]);
  expect(commit.figures()).toMatchObject({ waiting: 1, inFlight: 2 });
});

test('a lane that lingers waits for company', async () => {
  const { commit, sizes, timers } = lane({ lingerMs: 5 });
  void commit.submit(1);
  await turn();
  void commit.submit(2);
  expect(sizes()).toEqual([]);
  timers.advance(5);
  expect(sizes()).toEqual([2]);
});

test('a lane with a pace lets a few go at once, then gathers', async () => {
  const { commit, sizes, succeed, timers } = lane({ pace: { everyMs: 4, burst: 2 } });
  for (const batch of [0, 1, 2]) {
    void commit.submit(batch);
    await turn();
    succeed(batch);
    await turn();
  }
  expect(sizes()).toEqual([1, 1]);
  void commit.submit(3);
  timers.advance(4);
  await turn();
  expect(sizes()).toEqual([1, 1, 2]);
});

test('a full queue refuses at once', async () => {
  const { commit } = lane({ maxWaiting: 1 });
  void commit.submit(1);
  await turn();
  void commit.submit(2);
  expect(await outcomeOf(commit.submit(3))).toBe('overloaded');
});

test('a caller who waits too long is told, and its item is not written', async () => {
  const { commit, sizes, succeed, timers } = lane();
  void commit.submit(1);
  await turn();
  const impatient = outcomeOf(commit.submit(2, 50));
  timers.advance(50);
  expect(await impatient).toBe('deadline');
  succeed(0);
  await turn();
  expect(sizes()).toEqual([1]);
});

test('an item written after its caller left is reported as late', async () => {
  const { commit, late, succeed, timers } = lane();
  const impatient = outcomeOf(commit.submit(1, 50));
  await turn();
  timers.advance(50);
  expect(await impatient).toBe('deadline');
  succeed(0);
  await turn();
  expect(late).toEqual([1]);
});

test('when the database is away everyone waiting hears of it at once', async () => {
  const { commit, batches } = lane();
  const all = [outcomeOf(commit.submit(1))];
  await turn();
  all.push(outcomeOf(commit.submit(2)), outcomeOf(commit.submit(3)));
  batches[0]?.end.reject(new DatabaseUnavailableError('no-connection'));
  expect(await Promise.all(all)).toEqual(['no-connection', 'no-connection', 'no-connection']);
});

test('the next item after a failure is tried afresh', async () => {
  const { commit, batches, succeed } = lane();
  const failed = outcomeOf(commit.submit(1));
  await turn();
  batches[0]?.end.reject(new DatabaseUnavailableError('no-connection'));
  await failed;
  const written = commit.submit(2);
  await turn();
  succeed(1);
  expect(await written).toBe('wrote 2');
});

test('one bad item fails alone', async () => {
  const { commit, batches } = lane();
  const good = commit.submit(1);
  const bad = outcomeOf(commit.submit(2));
  await turn();
  const problem = new Error('bad');
  batches[0]?.end.resolve([{ ok: 'fine' }, { error: problem }]);
  expect(await good).toBe('fine');
  expect(await bad).toBe(problem);
});

test('closing refuses what is new and ends when the rest is written', async () => {
  const { commit, succeed } = lane();
  const written = commit.submit(1);
  const closed = commit.close();
  expect(await outcomeOf(commit.submit(2))).toBe('closed');
  await turn();
  succeed(0);
  await closed;
  expect(await written).toBe('wrote 1');
});

test('every item gets exactly one answer, its own, whatever the order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(), { maxLength: 40 }), async (s, items) => {
      const commit = createGroupCommit<number, number>({
        write: (batch) => s.schedule(Promise.resolve(batch.map((item) => ({ ok: item })))),
        maxBatch: 3,
        maxWaiting: 100,
        maxInFlight: 2,
        timers: manualTimers(),
      });
      const submitted = items.map((item) =>
        s.schedule(Promise.resolve()).then(() => commit.submit(item)),
      );
      await s.waitFor(Promise.all(submitted));
      expect(await Promise.all(submitted)).toEqual(items);
      expect(commit.figures()).toMatchObject({ waiting: 0, items: items.length });
    }),
  );
});

test('a second batch leaves beside the first only when that one is held up, or when it is full', async () => {
  const { commit, sizes, timers } = lane({ maxBatch: 3, maxInFlight: 2, overlapAfterMs: 10 });
  void commit.submit(1);
  await turn();
  void commit.submit(2);
  await turn();
  timers.advance(9);
  await turn();
  expect(sizes()).toEqual([1]);
  timers.advance(1);
  await turn();
  expect(sizes()).toEqual([1, 1]);

  const full = lane({ maxBatch: 3, maxInFlight: 2, overlapAfterMs: 10 });
  for (const item of [1, 2, 3, 4, 5]) void full.commit.submit(item);
  await turn();
  expect(full.sizes()).toEqual([3]);
  void full.commit.submit(6);
  await turn();
  expect(full.sizes()).toEqual([3, 3]);
});

test('what waits for a batch that ends early does not wait out the time', async () => {
  const { commit, sizes, succeed } = lane({ maxInFlight: 2, overlapAfterMs: 10 });
  void commit.submit(1);
  await turn();
  void commit.submit(2);
  await turn();
  succeed(0);
  await turn();
  expect(sizes()).toEqual([1, 1]);
});
