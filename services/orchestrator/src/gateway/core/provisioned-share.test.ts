import { drawThroughput, provisionedTarget } from './provisioned-share';

const arn = (name: string) => `arn:aws:bedrock:ap-northeast-1:1:provisioned-model/${name}`;
const set = [
  { arn: arn('a'), units: 3, weight: 3 },
  { arn: arn('b'), units: 1, weight: 0 },
  { arn: arn('c'), units: 1, weight: 1 },
];

test('each throughput gets the share of its weight', () => {
  const draws = Array.from({ length: 100 }, (_, n) => drawThroughput(set, n / 100)?.arn);
  expect(draws.filter((it) => it === arn('a'))).toHaveLength(75);
  expect(draws.filter((it) => it === arn('c'))).toHaveLength(25);
});

test('one that is being drained, and no set at all, get nothing', () => {
  expect(drawThroughput([{ arn: arn('b'), units: 1, weight: 0 }], 0.5)).toBeUndefined();
  expect(drawThroughput([], 0)).toBeUndefined();
});

test('a throughput is called where it was bought', () => {
  const onDemand = { profile: 'jp.model', region: 'ap-northeast-3' };
  expect(provisionedTarget(onDemand, { arn: arn('a'), units: 1, weight: 1 })).toEqual({
    profile: 'jp.model',
    region: 'ap-northeast-1',
    provisionedArn: arn('a'),
  });
});
