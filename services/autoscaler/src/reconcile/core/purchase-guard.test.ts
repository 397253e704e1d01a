import { configure } from '@matsuri/contract';
import type { Throughput } from '../../core';
import { guardPurchase, obstacleToDeletion } from './purchase-guard';

const buying = configure({ provisioned: { enabled: true } });
const purchase = {
  token: 'complex-10-demand-1',
  units: 10,
  cause: 'demand',
  reason: 'more',
} as const;
const throughput = (given: Partial<Throughput>): Throughput => ({
  arn: 'arn:aws:bedrock:ap-northeast-1:000000000000:provisioned-model/a',
  name: 'other',
  alias: 'complex',
  units: 5,
  commitment: 'none',
  status: 'in_service',
  boughtFor: 'demand',
  ...given,
});

test('what is within units and dollars is bought', () => {
  expect(guardPurchase('complex', purchase, [throughput({})], buying)).toEqual({ kind: 'buy' });
});

test('what is listed already was bought, whatever became of the answer', () => {
  const listed = [throughput({ name: purchase.token })];
  expect(guardPurchase('complex', purchase, listed, buying)).toEqual({ kind: 'bought' });
});

test.each([
  ['too many units', buying, [throughput({ units: 21 })], /21 of 30 units/],
  [
    'too many dollars',
    configure({ provisioned: { enabled: true, maxDollarsPerHour: 50 } }),
    [throughput({ units: 5 })],
    /\$60\.00 an hour, more than \$50/,
  ],
  ['switched off', configure({}), [], /switched off/],
])('refused: %s', (_, configuration, listed, reason) => {
  const verdict = guardPurchase('complex', purchase, listed, configuration);
  expect(verdict).toMatchObject({
    kind: 'refuse',
    reason: expect.stringMatching(reason) as string,
  });
});

test('only what this autoscaler bought without commitment is deleted; what is gone is no obstacle', () => {
  const { arn } = throughput({});
  expect(obstacleToDeletion(arn, [throughput({})])).toBeUndefined();
  expect(obstacleToDeletion(arn, [])).toBeUndefined();
  expect(obstacleToDeletion(arn, [throughput({ boughtFor: undefined })])).toMatch(/somebody else/);
  expect(obstacleToDeletion(arn, [throughput({ commitment: 'one_month' })])).toMatch(/committed/);
});
