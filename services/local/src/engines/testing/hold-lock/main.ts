/** Holds the lock of the given name until it is killed. */
import { withMachineLock } from '../../machine-lock';

void withMachineLock(process.argv[2] ?? '', () => {
  process.send?.('holding');
  return new Promise<never>(() => setInterval(() => undefined, 60_000));
});
