import type { ChatAlias, PlatformConfiguration } from '@matsuri/contract';
import type { Purchase, Throughput } from '../../core';

export type PurchaseVerdict =
  | { readonly kind: 'buy' }
  /** It is listed: an earlier attempt succeeded, though nobody heard of it. */
  | { readonly kind: 'bought' }
  | { readonly kind: 'refuse'; readonly reason: string };

/** The last look before money is spent, on a list that was read this moment. */
export function guardPurchase(
  alias: ChatAlias,
  purchase: Purchase,
  listed: readonly Throughput[],
  { provisioned }: PlatformConfiguration,
): PurchaseVerdict {
  if (listed.some(({ name }) => name === purchase.token)) return { kind: 'bought' };
  if (!provisioned.enabled) return refuse('provisioned throughput is switched off');

  const billed = listed.filter(({ status }) => status !== 'failed');
  const units = total(billed.filter((it) => it.alias === alias).map((it) => it.units));
  const cap = provisioned.maxUnits[alias];
  if (units + purchase.units > cap) {
    return refuse(`${units} of ${cap} units of the ${alias} model are billed already`);
  }
  const price = provisioned.dollarsPerUnitHour;
  const spent = total(billed.map((it) => it.units * price[it.alias]));
  const after = spent + purchase.units * price[alias];
  if (after > provisioned.maxDollarsPerHour) {
    return refuse(
      `it would cost $${after.toFixed(2)} an hour, more than $${provisioned.maxDollarsPerHour}`,
    );
  }
  return { kind: 'buy' };
}

/** Why a throughput must not be deleted; undefined when it may. */
export function obstacleToDeletion(arn: string, listed: readonly Throughput[]): string | undefined {
  const found = listed.find((it) => it.arn === arn);
  if (found === undefined) return undefined;
  if (found.boughtFor === undefined) return 'somebody else bought it';
  return found.commitment === 'none' ? undefined : 'it is committed to';
}

function refuse(reason: string): PurchaseVerdict {
  return { kind: 'refuse', reason };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, it) => sum + it, 0);
}
