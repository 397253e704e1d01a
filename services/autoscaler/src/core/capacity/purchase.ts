import type { ChatAlias, PlatformConfiguration } from '@matsuri/contract';
import type { PurchaseIntent } from '../state';
import type { Throughput } from '../snapshot';
import { dollars } from '../wording';
import type { UnitTarget } from './unit-target';

export interface Shelf {
  readonly alias: ChatAlias;
  /** Everything of the alias that is billed, drained ones included. */
  readonly billedUnits: number;
  readonly haveUnits: number;
  /** Everything of all aliases, and what this cycle already bought. */
  readonly dollarsPerHour: number;
}

export type Buying =
  | { readonly kind: 'nothing'; readonly reason: string }
  | { readonly kind: 'unaffordable'; readonly reason: string }
  | { readonly kind: 'buy'; readonly intent: PurchaseIntent };

/** What to buy to reach the target, within units and dollars. */
export function buying(
  target: UnitTarget,
  shelf: Shelf,
  { provisioned }: PlatformConfiguration,
  nowMs: number,
): Buying {
  const missing = target.units - shelf.haveUnits;
  if (missing <= 0) return { kind: 'nothing', reason: target.reason };

  const { alias } = shelf;
  const byCap = provisioned.maxUnits[alias] - shelf.billedUnits;
  const price = provisioned.dollarsPerUnitHour[alias];
  const left = provisioned.maxDollarsPerHour - shelf.dollarsPerHour;
  const byBudget = price === 0 ? missing : Math.floor(left / price);
  const units = Math.min(missing, byCap, byBudget);
  if (units < 1) {
    const limit =
      byCap < 1
        ? `${shelf.billedUnits} of ${provisioned.maxUnits[alias]} units are taken`
        : `${dollars(shelf.dollarsPerHour)} of ${dollars(provisioned.maxDollarsPerHour)} an hour are spent`;
    return { kind: 'unaffordable', reason: `${target.reason}, but ${limit}` };
  }
  return {
    kind: 'buy',
    intent: {
      token: `${alias}-${units}-${target.cause}-${nowMs}`,
      units,
      cause: target.cause,
      reason: target.reason,
      atMs: nowMs,
    },
  };
}

/** Whether something bought has not arrived: nothing more is bought on top of it. */
export function isOnItsWay(own: readonly Throughput[]): boolean {
  return own.some(({ status }) => status === 'creating');
}
