import type { CapacityPlan, Throughput } from '@matsuri/autoscaler/core';
import { CHAT_ALIASES, type ChatAlias } from '@matsuri/contract';

/** Bedrock's side of provisioned throughput: a purchase is listed at once and serves after its activation. */
export interface ProvisionedSet {
  readonly listed: readonly Throughput[];
  readonly apply: (plans: Readonly<Record<ChatAlias, CapacityPlan>>, nowMs: number) => void;
  /** Units that serve now; those being drained still do, and are paid. */
  readonly serving: (alias: ChatAlias) => number;
  readonly paid: (alias: ChatAlias) => number;
}

export function createProvisionedSet(activationSeconds: number): ProvisionedSet {
  return new BoughtSet(activationSeconds * 1_000);
}

class BoughtSet implements ProvisionedSet {
  listed: readonly Throughput[] = [];
  private readonly readyAtMs = new Map<string, number>();

  constructor(private readonly activationMs: number) {}

  apply(plans: Readonly<Record<ChatAlias, CapacityPlan>>, nowMs: number): void {
    for (const alias of CHAT_ALIASES) this.applyOne(alias, plans[alias], nowMs);
    if (this.listed.every(({ status }) => status === 'in_service')) return;
    this.listed = this.listed.map((it) =>
      (this.readyAtMs.get(it.arn) ?? Infinity) <= nowMs ? { ...it, status: 'in_service' } : it,
    );
  }

  serving(alias: ChatAlias): number {
    return this.units((it) => it.alias === alias && it.status === 'in_service');
  }

  paid(alias: ChatAlias): number {
    return this.units((it) => it.alias === alias);
  }

  private applyOne(alias: ChatAlias, { purchase, deletions }: CapacityPlan, nowMs: number): void {
    if (deletions.length > 0) {
      const gone = new Set(deletions.map((it) => it.arn));
      this.listed = this.listed.filter((it) => !gone.has(it.arn));
    }
    if (purchase === undefined || this.listed.some((it) => it.name === purchase.token)) return;
    const arn = `arn:aws:bedrock:::provisioned-model/${purchase.token}`;
    this.readyAtMs.set(arn, nowMs + this.activationMs);
    this.listed = [
      ...this.listed,
      {
        arn,
        name: purchase.token,
        alias,
        units: purchase.units,
        commitment: 'none',
        status: 'creating',
        boughtFor: purchase.cause,
      },
    ];
  }

  private units(which: (it: Throughput) => boolean): number {
    return this.listed.reduce((sum, it) => sum + (which(it) ? it.units : 0), 0);
  }
}
