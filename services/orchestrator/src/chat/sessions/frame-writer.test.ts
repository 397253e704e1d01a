import type { AnswerPart } from '../ports';
import { AnswerRun } from './answer-run';
import type { FrameWrite, WriteOutcome } from './frame-log';
import { FrameWriter } from './frame-writer';

const DONE: AnswerPart = { type: 'done', finish: 'stop', intent: 'faq' };
const KEPT = ({ frames }: FrameWrite): WriteOutcome => ({
  kind: 'kept',
  seq: frames.at(-1)?.seq ?? 0,
});
const FAILED = (): WriteOutcome => ({ kind: 'failed' });

/** Keeps what it is told to, and remembers what it was given. */
class FakeLog {
  readonly writes: (readonly FrameWrite[])[] = [];
  outcome: (write: FrameWrite) => WriteOutcome = KEPT;
  #waiting: (() => void)[] = [];

  write(writes: readonly FrameWrite[]): Promise<readonly WriteOutcome[]> {
    this.writes.push(writes);
    for (const waiter of this.#waiting.splice(0)) waiter();
    return Promise.resolve(writes.map(this.outcome));
  }

  async written(times: number): Promise<void> {
    while (this.writes.length < times) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

let log: FakeLog;
let writer: FrameWriter;

beforeEach(() => {
  log = new FakeLog();
  writer = new FrameWriter(log);
});
afterEach(() => writer.stop());

function newRun(sessionId = 's1'): AnswerRun {
  const session = { tenantId: 't1', userId: 'u1', sessionId };
  const identity = { session, clientMessageId: 'c1', messageId: 'm1', epoch: 7 };
  return new AnswerRun(identity);
}

function ended(sessionId?: string): AnswerRun {
  const run = newRun(sessionId);
  run.append([DONE], performance.now());
  return run;
}

test('every frame is handed on once', async () => {
  const run = newRun();
  writer.note(run);
  await writer.idle();
  run.append([{ type: 'delta', text: 'one' }, DONE], performance.now());
  writer.note(run);
  await writer.idle();
  const seqs = log.writes.map(([write]) => write?.frames.map(({ seq }) => seq));
  expect(seqs).toEqual([[0], [1, 2]]);
});

test('nothing is handed on that is kept already, or about to be', async () => {
  const run = ended();
  writer.note(run);
  await log.written(1);
  writer.note(run);
  await writer.idle();
  writer.note(run);
  await writer.idle();
  expect(log.writes).toHaveLength(1);
});

test('while nothing can be kept, answers that end do not make the writer try more often', async () => {
  log.outcome = FAILED;
  writer.note(ended('s1'));
  await log.written(1);
  for (let n = 2; n <= 20; n += 1) {
    writer.note(ended(`s${n}`));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(log.writes).toHaveLength(1);
  log.outcome = KEPT;
  await writer.idle();
  expect(log.writes.at(-1)).toHaveLength(20);
});

test('once stopped it hands on nothing, not even what was under way', async () => {
  log.outcome = FAILED;
  writer.note(newRun());
  await log.written(1);
  writer.stop();
  writer.note(ended());
  await writer.idle();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(log.writes).toHaveLength(1);
});
