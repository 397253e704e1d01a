import { createLedger, createPool } from '../../src';
import { aReservation } from '../fixtures';

// A process that reserves and then lives until it is killed. Tells its parent what was granted.

async function main([url, tokenId, count, microUsd]: string[]): Promise<void> {
  if (url === undefined || tokenId === undefined)
    throw new Error('usage: url token count micro-dollars');
  const pool = createPool({ url, applicationName: 'reserving-process', maxConnections: 3 });
  const ledger = createLedger({ pool, leaseMs: 1_000 });
  const reservations = Array.from({ length: Number(count) }, () =>
    aReservation({ tokenId, reservedMicroUsd: Number(microUsd) }),
  );
  const outcomes = await Promise.all(reservations.map((each) => ledger.reserve(each, 10_000)));
  const granted = reservations.filter((_, index) => outcomes[index]?.granted === true);
  process.send?.(granted.map(({ attemptId }) => attemptId));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : 'failed'}\n`);
  process.exit(1);
});
