import type { Sample } from '../load/orders';
import { errorsIn } from './observation';

/** Follows a run. */
export interface Watcher {
  /** One more step of the run begins. */
  readonly step: (label: string) => void;
  /** Something did not go as it should. */
  readonly trouble: (text: string) => void;
}

/** Says what went wrong in a sample, if anything did. */
export function tellErrors(sample: Sample, when: string, watcher: Watcher): void {
  if (errorsIn(sample) > 0) watcher.trouble(`${when}: ${JSON.stringify(sample.errors)}`);
}
