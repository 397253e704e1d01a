import type { ChatAlias } from '@matsuri/contract';
import type { Plan, Throughput } from '../src/core';
import { throughput } from './cycles';

/** Stands for Bedrock: a purchase is listed at once and in service after its activation. */
export interface BoughtSet {
  /** The list after the plan was applied. */
  after(plan: Plan | undefined, nowMs: number): readonly Throughput[];
  units(alias: ChatAlias): number;
  readonly purchases: readonly { readonly alias: ChatAlias; readonly atMs: number }[];
}

export function boughtSet(initial: readonly Throughput[] = [], activationMs = 900_000): BoughtSet {
  let listed = initial;
  const readyAtMs = new Map<string, number>();
  const purchases: { alias: ChatAlias; atMs: number }[] = [];

  function apply(plan: Plan, alias: ChatAlias, nowMs: number): void {
    const { purchase, deletions } = plan.capacity[alias];
    const gone = new Set(deletions.map((it) => it.arn));
    listed = listed.filter((it) => !gone.has(it.arn));
    if (purchase === undefined || listed.some((it) => it.name === purchase.token)) return;
    const arn = `arn:aws:bedrock:ap-northeast-1:123456789012:provisioned-model/${purchase.token}`;
    const { units, token: name, cause: boughtFor } = purchase;
    listed = [...listed, throughput({ arn, name, alias, units, boughtFor, status: 'creating' })];
    readyAtMs.set(arn, nowMs + activationMs);
    purchases.push({ alias, atMs: nowMs });
  }

  return {
    purchases,
    units: (alias) =>
      listed.filter((it) => it.alias === alias).reduce((sum, it) => sum + it.units, 0),
    after(plan, nowMs) {
      if (plan !== undefined) {
        apply(plan, 'complex', nowMs);
        apply(plan, 'simple', nowMs);
      }
      listed = listed.map((it) =>
        (readyAtMs.get(it.arn) ?? -Infinity) <= nowMs ? { ...it, status: 'in_service' } : it,
      );
      return listed;
    },
  };
}
