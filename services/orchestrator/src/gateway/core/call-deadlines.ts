import { firstContentLimitMs, type PlatformConfiguration } from '@matsuri/contract';

type Timeouts = PlatformConfiguration['timeouts'];

export interface DeadlineInput {
  readonly inputTokens: number;
  readonly thinking: boolean;
}

/** How long a call may take until its first content, over all attempts. */
export function requestDeadlineMs(timeouts: Timeouts, input: DeadlineInput): number {
  if (input.thinking) return timeouts.requestDeadlineThinkingMs;
  // A long prompt takes longer to read wherever it goes, so the whole wait grows as each attempt's does.
  const growthMs = firstContentLimitMs(timeouts, input) - timeouts.firstContentMs;
  return Math.min(timeouts.requestDeadlineMs + growthMs, timeouts.requestDeadlineThinkingMs);
}
