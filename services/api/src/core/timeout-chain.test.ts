import { configure, defaultConfiguration } from '@matsuri/contract';
import { describeTimeoutChain, timeoutChain } from './timeout-chain';

test('the chain is stated in the order in which limits pass', () => {
  const limits = timeoutChain(defaultConfiguration.timeouts).map(({ limitMs }) => limitMs);
  expect(limits).toEqual(limits.toSorted((a, b) => a - b));
});

test('every limit is stated, with the advice to stream', () => {
  const text = describeTimeoutChain(defaultConfiguration.timeouts);
  for (const { name } of timeoutChain(defaultConfiguration.timeouts)) {
    expect(text).toContain(`\`${name}\``);
  }
  expect(text).toContain('Stream long answers');
});

test('the figures are those of the environment', () => {
  const { timeouts } = configure({ timeouts: { heartbeatMs: 7_000 } });
  expect(describeTimeoutChain(timeouts)).toContain('every 7 s');
});
