import type { Evidence } from '../evidence';
import type { Violation } from './violation';

/** Caps are judged by counters: they must add up to the rows. */
export function spendAddsUp({ rows, counters }: Evidence): Violation[] {
  const rowsOf = Map.groupBy(rows, ({ accountId, spendDay }) => `${accountId} ${spendDay}`);
  return counters.flatMap(({ accountId, day, daySpentMoney, dayReservedMoney }) => {
    const own = rowsOf.get(`${accountId} ${day}`) ?? [];
    const spent = own
      .filter(({ status }) => status !== 'reserved')
      .reduce((sum, { costMoney }) => sum + costMoney, 0);
    const reserved = own
      .filter(({ status }) => status === 'reserved')
      .reduce((sum, { reservedMoney }) => sum + reservedMoney, 0);
    const found: Violation[] = [];
    if (spent !== daySpentMoney) {
      found.push(violation(accountId, `counts ${daySpentMoney} spent, its rows say ${spent}`));
    }
    if (reserved !== dayReservedMoney) {
      found.push(violation(accountId, `counts ${dayReservedMoney} reserved, rows say ${reserved}`));
    }
    return found;
  });
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'I2', subject, message };
}
