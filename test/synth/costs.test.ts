/** What docs/deploy.md says a month costs: its unit prices, times what the templates hold. */
import { plannedCapacityAt } from '@matsuri/contract';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

import { environmentNamed } from '../../lib/config/environment';
import { ENVIRONMENT_NAMES, NOW_MS, ofType, synthesize } from './synthesized';
import type { CloudFormation, Synthesized } from './synthesized';

const HOURS_PER_MONTH = 730;
const HALF_HOUR_MS = 1_800_000;
const HALF_HOURS_PER_WEEK = 7 * 48;

const number = z.coerce.number();

/** Everything of one environment that is billed for being there. */
interface Bill {
  readonly name: string;
  readonly all: CloudFormation;
}

function billOf(name: string, synthesized: Synthesized): Bill {
  const resources = synthesized.stacks.flatMap((stack) =>
    Object.entries(synthesized.json(stack).Resources).map(
      ([id, it]) => [`${stack}/${id}`, it] as const,
    ),
  );
  return { name, all: { Resources: Object.fromEntries(resources) } };
}

const count = ({ all }: Bill, type: string): number => ofType(all, type).length;

const sum = (values: readonly number[]): number => values.reduce((total, it) => total + it, 0);

/** The floor of an ordinary week, its release night included; load comes on top. */
function tasksOf({ name }: Bill): number {
  const { platform } = environmentNamed(name, NOW_MS);
  const ordinary = { ...platform, calendar: { ...platform.calendar, events: [] } };
  const floors = Array.from(
    { length: HALF_HOURS_PER_WEEK },
    (_, index) => plannedCapacityAt(ordinary, NOW_MS + index * HALF_HOUR_MS).minTasks,
  );
  return sum(floors) / HALF_HOURS_PER_WEEK;
}

/** Of the programs that run all the time. */
function fargate(bill: Bill, unit: 'Cpu' | 'Memory'): number {
  const tasks = ofType(bill.all, 'AWS::ECS::TaskDefinition');
  const sizeOf = (program: string) => {
    const found = tasks.find((it) => JSON.stringify(it).includes(`"Name":"${program}"`));
    return number.parse(found?.[unit]) / 1_024;
  };
  return tasksOf(bill) * sizeOf('orchestrator') + 2 * sizeOf('autoscaler');
}

function valkeyNodes({ all }: Bill, type: string): number {
  const [group] = ofType(all, 'AWS::ElastiCache::ReplicationGroup');
  return group?.['CacheNodeType'] === type ? 1 + number.parse(group['ReplicasPerNodeGroup']) : 0;
}

function auroraUnits(bill: Bill): number {
  const [cluster] = ofType(bill.all, 'AWS::RDS::DBCluster');
  const { MinCapacity } = z
    .object({ MinCapacity: z.number() })
    .parse(cluster?.['ServerlessV2ScalingConfiguration']);
  return MinCapacity * count(bill, 'AWS::RDS::DBInstance');
}

/** Half a unit each for writing and for searching, twice where a copy stands by. */
function searchUnits({ all }: Bill): number {
  const [collection] = ofType(all, 'AWS::OpenSearchServerless::Collection');
  return collection?.['StandbyReplicas'] === 'ENABLED' ? 2 : 1;
}

function endpointZones({ all }: Bill): number {
  const endpoints = [
    ...ofType(all, 'AWS::EC2::VPCEndpoint').filter(
      ({ VpcEndpointType }) => VpcEndpointType === 'Interface',
    ),
    ...ofType(all, 'AWS::OpenSearchServerless::VpcEndpoint'),
  ];
  return sum(endpoints.map((it) => z.array(z.unknown()).parse(it['SubnetIds']).length));
}

/** An alarm is billed for every metric it reads, more for those of ten seconds. */
function alarmMetrics({ all }: Bill, quick: boolean): number {
  const periods = ofType(all, 'AWS::CloudWatch::Alarm').flatMap((alarm) =>
    [...JSON.stringify(alarm).matchAll(/"Period":(\d+)/g)].map(([, period]) => Number(period)),
  );
  return periods.filter((period) => period < 60 === quick).length;
}

function rules({ all }: Bill): number {
  const [acl] = ofType(all, 'AWS::WAFv2::WebACL');
  return z.array(z.unknown()).parse(acl?.['Rules']).length;
}

/** Row of the table → how many of it an environment has. */
const UNITS: Readonly<Record<string, (bill: Bill) => number>> = {
  'Fargate vCPU, chat at its floor and autoscaler': (bill) => fargate(bill, 'Cpu'),
  'Fargate GB, the same': (bill) => fargate(bill, 'Memory'),
  'm6i.large, hosts of the API at their least': ({ all }) =>
    sum(ofType(all, 'AWS::AutoScaling::AutoScalingGroup').map((it) => number.parse(it['MinSize']))),
  'Aurora capacity unit, at the least': auroraUnits,
  'Valkey cache.t4g.medium': (bill) => valkeyNodes(bill, 'cache.t4g.medium'),
  'Valkey cache.m7g.large': (bill) => valkeyNodes(bill, 'cache.m7g.large'),
  'Valkey cache.m7g.xlarge': (bill) => valkeyNodes(bill, 'cache.m7g.xlarge'),
  'OpenSearch compute unit, at the least': searchUnits,
  'NAT gateway': (bill) => count(bill, 'AWS::EC2::NatGateway'),
  'interface endpoint, in a zone': endpointZones,
  'load balancer': (bill) => count(bill, 'AWS::ElasticLoadBalancingV2::LoadBalancer'),
  firewall: (bill) => count(bill, 'AWS::WAFv2::WebACL'),
  'rule of the firewall': rules,
  key: (bill) => count(bill, 'AWS::KMS::Key'),
  secret: (bill) => count(bill, 'AWS::SecretsManager::Secret'),
  'metric in an alarm': (bill) => alarmMetrics(bill, false),
  'metric of ten seconds in an alarm': (bill) => alarmMetrics(bill, true),
  'composite alarm': (bill) => count(bill, 'AWS::CloudWatch::CompositeAlarm'),
  dashboard: (bill) => count(bill, 'AWS::CloudWatch::Dashboard'),
};

const page = readFileSync(join(__dirname, '../../docs/deploy.md'), 'utf8');
const [, section = ''] = page.split('## What it costs');
const table = section
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
const [heading = [], , ...lines] = table;

let bills: readonly Bill[];

beforeAll(() => {
  bills = ENVIRONMENT_NAMES.map((name) => billOf(name, synthesize(name)));
});

const shown = (amount: number): string => `$${Math.round(amount).toLocaleString('en')}`;

/** The table as it ought to be, by the unit prices that it states. */
function expectedLines(): readonly (readonly string[])[] {
  const priced = lines
    .slice(0, -1)
    .map(([what = '', price = '', per = '']) => ({ what, price, per }));
  const monthly = (bill: Bill, { what, price, per }: (typeof priced)[number]) => {
    const units = UNITS[what]?.(bill) ?? Number.NaN;
    return {
      units,
      amount: units * Number(price.slice(1)) * (per === 'hour' ? HOURS_PER_MONTH : 1),
    };
  };
  const rows = priced.map((row) => [
    row.what,
    row.price,
    row.per,
    ...bills.map((bill) => {
      const { units, amount } = monthly(bill, row);
      return units === 0 ? '' : `${Number(units.toFixed(1))} → ${shown(amount)}`;
    }),
  ]);
  const sums = bills.map((bill) => shown(sum(priced.map((row) => monthly(bill, row).amount))));
  return [...rows, ['**sum**', '', '', ...sums.map((it) => `**${it}**`)]];
}

test('every line is its unit price times what the templates hold, and the last line is their sum', () => {
  expect(heading.slice(3)).toEqual(ENVIRONMENT_NAMES);
  expect(lines).toEqual(expectedLines());
});

test('nothing that is billed for being there is left out', () => {
  expect(lines.slice(0, -1).map(([what]) => what)).toEqual(Object.keys(UNITS));
});

test('prices have a date, and the reader is told to check them', () => {
  expect(section).toMatch(/\bNovember 2026\b/);
  expect(section).toContain('aws.amazon.com/pricing');
});
