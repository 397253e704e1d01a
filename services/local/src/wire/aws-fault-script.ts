import { AwsError } from './aws-error';

/** One scripted misbehaviour of an AWS endpoint. */
export type AwsFault =
  /** Refused before anything happened. */
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message?: string;
      readonly status?: number;
    }
  /** Refused for its rate, before anything happened. */
  | { readonly kind: 'throttle' }
  /** Answered late by so many real milliseconds. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Done, but the answer never arrives: the connection stays silent. */
  | { readonly kind: 'silent-after-success' }
  /** Done, but the connection is cut instead of answered. */
  | { readonly kind: 'reset-after-success' };

/** Faults waiting for calls; each call takes the oldest that names it. */
export interface FaultScript {
  /** Lets the next `times` calls of an operation (`*` is any) meet a fault. */
  inject(operation: string, fault: AwsFault, times?: number): void;
  clear(): void;
  take(operation: string): AwsFault | undefined;
}

export function faultScript(): FaultScript {
  let waiting: { readonly operation: string; readonly fault: AwsFault }[] = [];
  return {
    inject(operation, fault, times = 1) {
      waiting.push(...Array.from({ length: times }, () => ({ operation, fault })));
    },
    clear() {
      waiting = [];
    },
    take(operation) {
      const next = waiting.find(
        (entry) => entry.operation === operation || entry.operation === '*',
      );
      waiting = waiting.filter((entry) => entry !== next);
      return next?.fault;
    },
  };
}

/** The error a fault answers with before the operation runs, if it does. */
export function refusal(fault: AwsFault | undefined): AwsError | undefined {
  if (fault?.kind === 'throttle') return new AwsError('ThrottlingException', 'Rate exceeded');
  if (fault?.kind !== 'error') return undefined;
  return new AwsError(fault.code, fault.message ?? 'Scripted fault', fault.status ?? 400);
}
