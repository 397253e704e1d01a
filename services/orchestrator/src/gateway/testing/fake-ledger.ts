import type { Ledger, Reservation, ReserveOutcome, Settlement } from '@matsuri/database';

/** A ledger in memory that remembers everything it was told. */
export class FakeLedger implements Pick<Ledger, 'reserve' | 'settle'> {
  readonly reserved: Reservation[] = [];
  readonly settled: Settlement[] = [];
  /** What the next reservations come to; granted when nothing is said. */
  readonly outcomes: (ReserveOutcome | Error)[] = [];

  reserve(reservation: Reservation): Promise<ReserveOutcome> {
    const outcome = this.outcomes.shift() ?? { granted: true };
    if (outcome instanceof Error) return Promise.reject(outcome);
    if (outcome.granted) this.reserved.push(reservation);
    return Promise.resolve(outcome);
  }

  settle(settlement: Settlement): Promise<'recorded'> {
    this.settled.push(settlement);
    return Promise.resolve('recorded');
  }
}
