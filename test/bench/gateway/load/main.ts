/** The load generator: a process of its own, told what to do over its channel, one order at a time. */
import { ConnectionSet } from './connection-set';
import type { Order, OrderOutcome } from './orders';
import { runOrder } from './run-order';

const kept = new Map<string, ConnectionSet>();

function connectionsFor({ target, connections }: Order): ConnectionSet {
  const name = `${target.name} x${connections}`;
  const set = kept.get(name) ?? new ConnectionSet(target, connections);
  kept.set(name, set);
  return set;
}

async function carryOut(order: Order): Promise<OrderOutcome> {
  try {
    return { kind: 'done', sample: await runOrder(connectionsFor(order), order) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (order: Order) => {
  void carryOut(order).then((outcome) => process.send?.(outcome));
});
process.once('disconnect', () => process.exit(0));
