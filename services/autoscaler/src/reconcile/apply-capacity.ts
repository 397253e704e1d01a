import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import type { CapacityPlan, Plan } from '../core';
import type { SharedRecords, ThroughputMarket } from '../ports';
import { guardPurchase, obstacleToDeletion } from './core/purchase-guard';
import type { Effects } from './effects';

export interface CapacityWorld {
  readonly market: ThroughputMarket;
  readonly records: SharedRecords;
}

/** Makes the planned set of every alias true: the router hears first, then something is deleted or bought. */
export async function applyCapacity(
  world: CapacityWorld,
  plan: Plan,
  configuration: PlatformConfiguration,
  epoch: number,
  effects: Effects,
): Promise<void> {
  for (const alias of CHAT_ALIASES) {
    const capacity = plan.capacity[alias];
    const heard = await publishSet(world.records, alias, capacity, epoch, effects);
    // What the router may still send calls to is not deleted.
    if (heard) await giveBack(world.market, alias, capacity, effects);
    await buy(world.market, alias, capacity, configuration, effects);
  }
}

async function publishSet(
  records: SharedRecords,
  alias: ChatAlias,
  { set, reason }: CapacityPlan,
  epoch: number,
  effects: Effects,
): Promise<boolean> {
  if (set === undefined) return false;
  return effects.attempt({
    what: 'publish the capacity set',
    reason,
    fields: { alias, throughputs: set.length },
    routine: true,
    run: () => records.putCapacitySet(alias, set, epoch),
  });
}

async function giveBack(
  market: ThroughputMarket,
  alias: ChatAlias,
  { deletions }: CapacityPlan,
  effects: Effects,
): Promise<void> {
  for (const { arn, units, reason } of deletions) {
    await effects.attempt({
      what: 'delete provisioned throughput',
      reason,
      fields: { alias, arn, units },
      moves: true,
      run: async () => {
        const obstacle = obstacleToDeletion(arn, await market.list());
        if (obstacle !== undefined) throw new Error(`not deleted: ${obstacle}`);
        await market.giveBack(arn);
      },
    });
  }
}

async function buy(
  market: ThroughputMarket,
  alias: ChatAlias,
  { purchase }: CapacityPlan,
  configuration: PlatformConfiguration,
  effects: Effects,
): Promise<void> {
  if (purchase === undefined) return;
  const { token, units, reason } = purchase;
  await effects.attempt({
    what: 'buy provisioned throughput',
    reason,
    fields: { alias, units, purchase: token },
    moves: true,
    run: async () => {
      const verdict = guardPurchase(alias, purchase, await market.list(), configuration);
      if (verdict.kind === 'refuse') throw new Error(`not bought: ${verdict.reason}`);
      if (verdict.kind === 'buy') await market.buy({ alias, units, token });
    },
  });
}
