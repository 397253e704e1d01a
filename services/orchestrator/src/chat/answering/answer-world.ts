import type { Clock } from '@matsuri/resilience';
import type { Branches } from './branches';
import type { AnswererOptions } from './create-answerer';
import type { Generator } from './generation';
import type { SharedGenerations } from './shared-generations';

/** What all answers of a task share. */
export interface AnswerWorld extends Pick<
  AnswererOptions,
  | 'configuration'
  | 'ledger'
  | 'sessions'
  | 'cache'
  | 'downstreams'
  | 'mitigations'
  | 'ladder'
  | 'metrics'
  | 'log'
> {
  readonly branches: Branches;
  readonly generator: Generator;
  readonly shared: SharedGenerations;
  readonly clock: Clock;
  /** Does something after the answer, detached and within a deadline. */
  readonly finish: (name: string, work: () => Promise<unknown>) => void;
}
