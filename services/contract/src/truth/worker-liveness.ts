import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** Two renewals may be late before a living worker looks dead. */
const RENEWALS_PER_MARK = 3;

/** Marks outlive late renewals, dead workers are noticed in time, and starting ones are left alone. */
export function workerLiveness({
  fleet,
  functions,
}: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...renewals(fleet),
    ...noticing(fleet.noticeSeconds, functions.maintenance.periodSeconds),
    ...grace(fleet),
  ];
}

type Fleet = PlatformConfiguration['fleet'];

function renewals({ markSeconds, markRenewSeconds }: Fleet): Contradiction[] {
  if (markRenewSeconds * RENEWALS_PER_MARK <= markSeconds) return [];
  return [
    error(
      'mark-renewed-late',
      `A worker renews its mark every ${markRenewSeconds} s, the mark lives ${markSeconds} s: one slow moment and a living ` +
        'worker looks dead.',
      `Set fleet.markRenewSeconds to at most ${Math.floor(markSeconds / RENEWALS_PER_MARK)}.`,
    ),
  ];
}

function noticing(noticeSeconds: number, periodSeconds: number): Contradiction[] {
  if (periodSeconds <= noticeSeconds) return [];
  return [
    error(
      'dead-worker-noticed-late',
      `A dead worker is promised to be noticed within ${noticeSeconds} s, but maintenance looks every ${periodSeconds} s.`,
      `Set functions.maintenance.periodSeconds to at most ${noticeSeconds}.`,
    ),
  ];
}

function grace({ startGraceSeconds, assignmentSeconds, markSeconds }: Fleet): Contradiction[] {
  const needed = assignmentSeconds + markSeconds;
  if (startGraceSeconds >= needed) return [];
  return [
    error(
      'start-grace-too-short',
      `A worker is taken for an orphan after ${startGraceSeconds} s, but may take ${assignmentSeconds} s to accept its ` +
        `assignment and ${markSeconds} s until its first mark can expire: fresh workers are killed.`,
      `Set fleet.startGraceSeconds to at least ${needed}.`,
    ),
  ];
}
