import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';

/** One line of what a service did, as DescribeServices shows it. */
export interface ServiceEvent {
  readonly id: string;
  readonly createdAtMs: number;
  readonly message: string;
}

const EVENTS_KEPT = 100;

/** The latest events of every service, newest first. */
export function serviceEvents(clock: Clock): {
  add(service: string, message: string): void;
  of(service: string): readonly ServiceEvent[];
} {
  const events = new Map<string, ServiceEvent[]>();
  return {
    add(service, message) {
      const event = {
        id: randomUUID(),
        createdAtMs: clock.nowMs(),
        message: `(service ${service}) ${message}.`,
      };
      events.set(service, [event, ...(events.get(service) ?? [])].slice(0, EVENTS_KEPT));
    },
    of: (service) => events.get(service) ?? [],
  };
}
