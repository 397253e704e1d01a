import { createLogger } from '@matsuri/telemetry';
import { openClients, type Clients } from '../clients';
import type { Config } from '../config';
import type { Decision } from '../core';
import type { Kept, LeaseItem } from '../ports';
import { readFacts, type Facts } from '../reading/read-facts';
import { decided } from '../reconcile/core/decided-plan';

/** What is known now, and what a cycle would make of it. */
export interface Situation {
  readonly nowMs: number;
  readonly lease: LeaseItem | undefined;
  readonly kept: Kept;
  readonly facts: Facts;
  readonly decision: Decision;
  /** Sources that did not answer. */
  readonly silent: readonly string[];
}

/** Looks at everything the autoscaler looks at, and changes nothing. */
export async function lookAt(config: Config, nowMs: number): Promise<Situation> {
  return withClients(config, async ({ sources, store, leaseTable }) => {
    const silent: string[] = [];
    const note = (_: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      void silent.push(String(fields['source']));
    const [kept, lease, facts] = await Promise.all([
      store.peek(),
      leaseTable.read(),
      readFacts(sources, config.platform, nowMs, { warn: note }),
    ]);
    const { provisioned } = config.platform;
    const isOff = facts.switches.provisionedOff !== undefined;
    const configuration = isOff
      ? { ...config.platform, provisioned: { ...provisioned, enabled: false } }
      : config.platform;
    const decision = decided(kept.state, facts.snapshot, configuration, nowMs);
    return { nowMs, lease, kept, facts, decision, silent };
  });
}

/** Lends the clients to one use. */
export async function withClients<T>(
  config: Config,
  use: (clients: Clients) => Promise<T>,
): Promise<T> {
  const log = createLogger({ service: 'autoscaler', level: 'silent' });
  const clients = openClients(config, log);
  try {
    return await use(clients);
  } finally {
    clients.close();
  }
}
