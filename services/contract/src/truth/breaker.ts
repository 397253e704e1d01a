import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

type Breaker = PlatformConfiguration['breaker'];

/** A circuit that opened can close again. */
export function breaker({ breaker: figures }: PlatformConfiguration): readonly Contradiction[] {
  return [...canClose(figures), ...waits(figures), ...wholeBuckets(figures)];
}

function canClose({ halfOpenPermits, successesToClose }: Breaker): Contradiction[] {
  if (successesToClose <= halfOpenPermits) return [];
  return [
    error(
      'breaker-never-closes',
      `A half-open circuit gives ${halfOpenPermits} permits but asks for ${successesToClose} successes: it never closes.`,
      `Set breaker.successesToClose to at most ${halfOpenPermits}.`,
    ),
  ];
}

function waits({ openSeconds, maxOpenSeconds }: Breaker): Contradiction[] {
  if (openSeconds <= maxOpenSeconds) return [];
  return [
    error(
      'breaker-wait-over-maximum',
      `breaker.openSeconds (${openSeconds}) is above breaker.maxOpenSeconds (${maxOpenSeconds}).`,
      `Set breaker.maxOpenSeconds to at least ${openSeconds}.`,
    ),
  ];
}

function wholeBuckets({ windowSeconds, windowBuckets }: Breaker): Contradiction[] {
  if (Number.isInteger((windowSeconds * 1_000) / windowBuckets)) return [];
  return [
    error(
      'breaker-window-uneven',
      `A window of ${windowSeconds} s does not divide into ${windowBuckets} buckets of whole milliseconds.`,
      'Choose breaker.windowBuckets so that it divides the window, e.g. one per second.',
    ),
  ];
}
