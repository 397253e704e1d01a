import { configure } from '@matsuri/contract';
import { RequestScope, systemClock } from '@matsuri/resilience';
import { Footing } from './core/ladder';
import { Generator } from './generation';
import { streamOf } from './test/stream-of';
import { questionOf } from './test/lone-answerer';
import { WaitingTime } from './waiting-time';

test('what is done with a question is our own time, what is asked with it the time of others', async () => {
  let nowMs = 0;
  const takes = <T>(ms: number, value: T): T => {
    nowMs += ms;
    return value;
  };
  const question = {
    ...questionOf('q'),
    get text() {
      return takes(1, 'q');
    },
  };
  const generator = new Generator({
    configuration: configure(),
    gateway: {
      open: () => Promise.resolve(takes(1_000, { kind: 'answered', answer: streamOf(['hello']) })),
      modelsFor: () => ['simple', 'complex'],
    },
    branches: { retrieve: () => Promise.resolve(takes(100, { ok: true, value: [] })) },
  });
  const waits = new WaitingTime(() => nowMs);
  const scope = new RequestScope({ budgetMs: 1_000, clock: systemClock });
  const footing = new Footing(new Set());
  await generator.generate(
    { question, locale: 'en', intent: 'faq', history: [], vector: undefined, footing },
    scope,
    waits,
  );
  scope.close();
  expect(waits.totalMs).toBe(1_100);
  expect(nowMs).toBeGreaterThan(1_100);
});
