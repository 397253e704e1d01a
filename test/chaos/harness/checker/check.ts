import type { Evidence } from '../evidence';
import { breakersKept } from './breakers-kept';
import { bucketHeld } from './bucket-held';
import { callStories } from './call-story';
import { oneEnding } from './one-ending';
import { quiet } from './quiet';
import { slotsHeld } from './slots-held';
import { usageRecorded } from './usage-recorded';
import type { Violation } from './violation';
import { wordsIntact } from './words-intact';

/** Holds what a run left behind against every promise. Knows nothing but the evidence. */
export function check(evidence: Evidence): readonly Violation[] {
  const stories = callStories(evidence);
  return [
    ...oneEnding(stories, evidence),
    ...usageRecorded(stories, evidence),
    ...bucketHeld(evidence),
    ...slotsHeld(stories, evidence),
    ...breakersKept(stories, evidence),
    ...wordsIntact(stories),
    ...quiet(evidence),
  ];
}

/** Violations as lines, the first few of many. */
export function describeViolations(violations: readonly Violation[], most = 25): string {
  const lines = violations
    .slice(0, most)
    .map(({ invariant, subject, message }) => `${invariant} ${subject}: ${message}`);
  const more = violations.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
