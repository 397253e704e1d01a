import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { Order, OrderOutcome, Sample } from '../load/orders';
import type { Workshop } from './workshop';

/** The process that sends requests. One order at a time. */
export interface LoadGenerator {
  carryOut(order: Order): Promise<Sample>;
  stop(): Promise<void>;
}

export function startLoadGenerator(workshop: Workshop): LoadGenerator {
  const program = workshop.bundle('test/bench/gateway/load/main.ts');
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Samples are typed arrays.
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  return {
    async carryOut(order) {
      const answered = new Promise<OrderOutcome>((resolve, reject) => {
        child.once('message', (outcome: OrderOutcome) => resolve(outcome));
        void ended.then(() => reject(new Error('the load generator ended')));
      });
      child.send(order);
      const outcome = await answered;
      if (outcome.kind === 'failed') throw new Error(`the load generator: ${outcome.message}`);
      return outcome.sample;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
