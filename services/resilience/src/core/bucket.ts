/**
 * The generic cell rate algorithm for several dimensions at once, with bookings. The Lua script of
 * the shared bucket does the same arithmetic step for step; a differential test holds the two together.
 *
 * A ledger keeps, per dimension, the instant at which the bucket will be full again (`fullAt`; the bucket is empty
 * at fullAt = now + burst), and the bookings whose time has not come. A request is granted at the first instant at
 * which every dimension can pay, never before an earlier booking: first come, first served, nothing to poll for.
 *
 * Two ledgers decide together: the group's (a model in a region) and the tenant's below it. What keeps tenants fair
 * and the queue short is that a tenant holds at most `maxBookedPerTenant` future places. A tenant at that
 * bound, or one that its own limit holds back, is told when to ask again and books nothing meanwhile, so it delays nobody else.
 *
 * For every interval [a, b] of grant times: granted − refunded ≤ rate · (b − a) + burst, in every dimension of both ledgers.
 */
import type { Charge } from './bucket-limits';

interface Booking {
  readonly id: string;
  readonly atMicros: number;
  readonly costs: readonly number[];
}

export interface Ledger {
  seenMicros: number;
  readonly fullAtMicros: number[];
  booked: Booking[];
}

export interface Ask {
  readonly id: string;
  readonly group: Charge;
  readonly tenant: Charge;
  readonly maxWaitMicros: number;
  readonly maxBookedPerTenant: number;
  readonly maxBooked: number;
}

/**
 * `granted`: go at that instant, which may lie ahead. `later`: nothing is booked, ask again then.
 * `refused`: a place exists only then, which is longer than the caller would wait.
 */
export interface Answer {
  readonly kind: 'granted' | 'later' | 'refused';
  readonly atMicros: number;
}

// A server clock that falls back further than this has been replaced, not corrected.
const CLOCK_TOLERANCE_MICROS = 1_000_000;

export type LedgerStart = 'full' | 'drained';

export function openLedger(bursts: readonly number[], start: LedgerStart, now: number): Ledger {
  const fullAtMicros = bursts.map((burst) => (start === 'full' ? now : now + burst));
  return { seenMicros: now, fullAtMicros, booked: [] };
}

/** Time never runs backwards: small steps back stand still, large ones restart the ledger empty. */
export function catchUp(ledger: Ledger, bursts: readonly number[], clockMicros: number): number {
  if (clockMicros + CLOCK_TOLERANCE_MICROS < ledger.seenMicros) {
    bursts.forEach((burst, d) => (ledger.fullAtMicros[d] = clockMicros + burst));
    ledger.booked = [];
    ledger.seenMicros = clockMicros;
  }
  const now = Math.max(clockMicros, ledger.seenMicros);
  ledger.seenMicros = now;
  const due = ledger.booked.findIndex((booking) => booking.atMicros > now);
  const past = ledger.booked.splice(0, due === -1 ? ledger.booked.length : due);
  for (const booking of past) charge(ledger, booking.costs, booking.atMicros);
  return now;
}

function charge(ledger: Ledger, costs: readonly number[], atMicros: number): void {
  costs.forEach((cost, d) => {
    if (cost > 0) ledger.fullAtMicros[d] = Math.max(ledger.fullAtMicros[d] ?? 0, atMicros) + cost;
  });
}

/** The first instant at which one dimension could pay, after everything booked before. */
function payableAt(ledger: Ledger, { costs, bursts }: Charge, d: number, now: number): number {
  const cost = costs[d] ?? 0;
  if (cost === 0) return now;
  let fullAt = Math.max(ledger.fullAtMicros[d] ?? 0, now);
  for (const { atMicros, costs: booked } of ledger.booked) {
    if ((booked[d] ?? 0) > 0) fullAt = Math.max(fullAt, atMicros) + (booked[d] ?? 0);
  }
  return fullAt + cost - (bursts[d] ?? 0);
}

function allPayableAt(ledger: Ledger, demand: Charge, now: number): number {
  return demand.costs.reduce((at, _, d) => Math.max(at, payableAt(ledger, demand, d, now)), now);
}

/** When the oldest of the newest `limit` bookings is due: one more fits then. */
function roomAt(ledger: Ledger, limit: number): number | undefined {
  return ledger.booked.at(-limit)?.atMicros;
}

function answer(group: Ledger, tenant: Ledger, ask: Ask, now: number): Answer {
  const lastBookedAt = group.booked.at(-1)?.atMicros ?? now;
  const atMicros = Math.max(lastBookedAt, allPayableAt(group, ask.group, now));
  const tenantAt = allPayableAt(tenant, ask.tenant, now);
  if (tenantAt > atMicros) return { kind: 'later', atMicros: tenantAt };
  if (atMicros === now) return { kind: 'granted', atMicros };

  const room = roomAt(tenant, ask.maxBookedPerTenant) ?? roomAt(group, ask.maxBooked);
  if (room !== undefined) return { kind: 'later', atMicros: room };
  if (atMicros - now > ask.maxWaitMicros) return { kind: 'refused', atMicros };
  return { kind: 'granted', atMicros };
}

function enterGrant(ledger: Ledger, id: string, costs: readonly number[], at: number, now: number) {
  if (at > now) ledger.booked.push({ id, atMicros: at, costs });
  else charge(ledger, costs, at);
}

/** All dimensions of both ledgers, or none. `now` is what `catchUp` of the group returned. */
export function reserve(group: Ledger, tenant: Ledger, ask: Ask, now: number): Answer {
  const result = answer(group, tenant, ask, now);
  if (result.kind === 'granted') {
    enterGrant(group, ask.id, ask.group.costs, result.atMicros, now);
    enterGrant(tenant, ask.id, ask.tenant.costs, result.atMicros, now);
  }
  return result;
}

/**
 * Adds what a grant cost more, or takes off what it cost less. A refund never lifts a bucket above full (it was full
 * at an earlier instant, which is the same); a
 * debt is never deeper than one burst below empty, so a bad estimate delays others by one time-to-full at most.
 */
export function settle(ledger: Ledger, { costs, bursts }: Charge, now: number): void {
  costs.forEach((cost, d) => {
    if (cost === 0) return;
    const settled = Math.max(ledger.fullAtMicros[d] ?? 0, now) + cost;
    ledger.fullAtMicros[d] = Math.min(settled, now + 2 * (bursts[d] ?? 0));
  });
}

/** Gives a place back before its time; after its time that is a full refund. */
export function cancel(ledger: Ledger, id: string, { costs, bursts }: Charge, now: number): void {
  const index = ledger.booked.findIndex((booking) => booking.id === id);
  if (index === -1) settle(ledger, { costs: costs.map((cost) => -cost), bursts }, now);
  else ledger.booked.splice(index, 1);
}

/** When the ledger is as good as a new, full one and need not be kept. */
export function forgettableAt(ledger: Ledger): number {
  const bookedUntil = ledger.booked.reduce(
    (until, { atMicros, costs }) => Math.max(until, atMicros) + Math.max(0, ...costs),
    Math.max(...ledger.fullAtMicros),
  );
  return Math.max(bookedUntil, ledger.seenMicros);
}
