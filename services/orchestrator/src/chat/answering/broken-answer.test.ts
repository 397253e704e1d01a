import type { AnswererOptions } from './create-answerer';
import type { SharedEntry } from './shared-streams';
import { endingsOf, textOf } from './test/answer-parts';
import { loneAnswerer } from './test/lone-answerer';
import { streamOf } from './test/stream-of';

const gatewayOf = (failure?: Error): AnswererOptions['gateway'] => ({
  open: () => Promise.resolve({ kind: 'answered', answer: streamOf(['half', ' an'], failure) }),
  modelsFor: () => ['simple', 'complex'],
});

test('an answer that its model breaks off is counted where it stood, and as broken', async () => {
  const { ask, counted } = loneAnswerer({ gateway: gatewayOf(new Error('cut')) });
  const parts = await ask('q');
  expect(textOf(parts)).toBe('half an');
  expect(endingsOf(parts)).toMatchObject([{ type: 'error', code: 'upstream_failed' }]);
  expect(counted('answers')).toEqual(['full']);
  expect(counted('brokenAnswers')).toEqual(['upstream_failed']);
});

test('so is one that is lost with the task that made it', async () => {
  const { ask, counted } = loneAnswerer(led([BEGIN, { type: 'text', text: 'half' }, BROKEN]));
  expect(endingsOf(await ask('q'))).toMatchObject([{ type: 'error', code: 'answer_lost' }]);
  expect(counted('answers')).toEqual(['coalesced']);
  expect(counted('brokenAnswers')).toEqual(['answer_lost']);
});

test('one that ends is not broken', async () => {
  const { ask, counted } = loneAnswerer({ gateway: gatewayOf() });
  expect(endingsOf(await ask('q'))).toMatchObject([{ type: 'done', finish: 'stop' }]);
  expect(counted('brokenAnswers')).toEqual([]);
});

const BROKEN: SharedEntry = { type: 'broken' };
const BEGIN: SharedEntry = {
  type: 'begin',
  model: 'simple',
  servedBy: { name: 'p@r', target: { profile: 'p', region: 'r' } },
  sources: [],
  degraded: [],
  rung: 'full',
};

/** Where another task answers, and says this of it. */
function led(entries: readonly SharedEntry[]): Partial<AnswererOptions> {
  const unread = [...entries];
  return {
    streams: {
      claim: () =>
        Promise.resolve({
          kind: 'following',
          stream: {
            read: () => Promise.resolve(unread.splice(0)),
            attend: () => Promise.resolve(),
            isLed: () => Promise.resolve(true),
          },
        }),
    },
    mitigations: { now: () => ({ active: new Set(['coalesce']), cacheSeconds: 1, epoch: 1 }) },
  };
}
