import { configure } from '@matsuri/contract';
import { loneAnswerer, silent } from './test/lone-answerer';

test('an answer that was late before any model was asked is an apology like any other, and counted', async () => {
  const shipped = configure();
  const { ask, counted } = loneAnswerer({
    configuration: { ...shipped, timeouts: { ...shipped.timeouts, requestDeadlineMs: 30 } },
    intent: silent,
  });
  expect(await ask('q')).toMatchObject([
    { type: 'degraded', rung: 'apology', parts: ['model'], reason: 'model_unavailable' },
    { type: 'error', code: 'timeout' },
  ]);
  expect(counted('answers')).toEqual(['apology']);
});
