import { configure } from '@matsuri/contract';
import { buying } from './purchase';

const configuration = configure({
  provisioned: { enabled: true, maxUnits: { complex: 6 }, maxDollarsPerHour: 100 },
});
const target = { units: 6, cause: 'demand', reason: 'demand needs 6 units' } as const;

test('what is drained is still billed and counts against the cap', () => {
  const shelf = { alias: 'complex', billedUnits: 6, haveUnits: 1, dollarsPerHour: 24 } as const;
  expect(buying(target, shelf, configuration, 0)).toEqual({
    kind: 'unaffordable',
    reason: 'demand needs 6 units, but 6 of 6 units are taken',
  });
});

test('as much is bought as fits under cap and budget', () => {
  const units = (billedUnits: number, dollarsPerHour: number) => {
    const shelf = { alias: 'complex', billedUnits, haveUnits: 1, dollarsPerHour } as const;
    const wish = buying(target, shelf, configuration, 0);
    return wish.kind === 'buy' ? wish.intent.units : wish.kind;
  };
  expect([units(1, 4), units(4, 16), units(1, 91), units(1, 97)]).toEqual([
    5,
    2,
    2,
    'unaffordable',
  ]);
});
