import { AnswerRun } from './answer-run';
import { newSession } from './testing/answers-task';
import { Upkeep } from './upkeep';

test('answers that could not be kept fill no more than the room there is for them', async () => {
  const runs = new Map<string, AnswerRun>();
  for (let epoch = 1; epoch <= 5_100; epoch += 1) {
    const session = newSession();
    const identity = { session, clientMessageId: 'm1', messageId: 'id-1', epoch };
    const run = new AnswerRun(identity);
    if (epoch > 10)
      run.append([{ type: 'done', finish: 'stop', intent: 'faq' }], performance.now());
    runs.set(session.sessionId, run);
  }
  const settings = { detachedSeconds: 15, frameRetentionSeconds: 300 };
  const upkeep = new Upkeep({ runs, writer: undefined, settings });
  await upkeep.look();
  upkeep.close();
  expect(runs.size).toBe(5_000);
  const epochs = [...runs.values()].map(({ identity }) => identity.epoch);
  expect(epochs.slice(0, 11)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 111]);
});
