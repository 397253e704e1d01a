import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** The longest stopTimeout Fargate accepts. */
const MAX_STOP_TIMEOUT_SECONDS = 120;

interface Stopping {
  readonly path: string;
  readonly drainSeconds: number;
  readonly stopTimeoutSeconds: number;
}

/** A program finishes its drain before ECS kills it, and ECS accepts the wait. */
export function drain(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { orchestrator, api, jobs, fleet } = configuration;
  const programs: Stopping[] = [
    { path: 'orchestrator.drain', ...orchestrator.drain },
    { path: 'api.drain', ...api.drain },
    { path: 'jobs', ...jobs },
    { path: 'fleet', ...fleet },
  ];
  return programs.flatMap((it) => [...withinLimit(it), ...beforeKill(it)]);
}

function withinLimit({ path, stopTimeoutSeconds }: Stopping): Contradiction[] {
  if (stopTimeoutSeconds <= MAX_STOP_TIMEOUT_SECONDS) return [];
  return [
    error(
      'stop-timeout-over-limit',
      `${path}.stopTimeoutSeconds is ${stopTimeoutSeconds} s; ECS accepts at most ${MAX_STOP_TIMEOUT_SECONDS} s.`,
      `Set ${path}.stopTimeoutSeconds to ${MAX_STOP_TIMEOUT_SECONDS} and shorten the drain to fit.`,
    ),
  ];
}

function beforeKill({ path, drainSeconds, stopTimeoutSeconds }: Stopping): Contradiction[] {
  if (drainSeconds < stopTimeoutSeconds) return [];
  return [
    error(
      'drain-longer-than-stop',
      `${path}.drainSeconds (${drainSeconds} s) is not shorter than stopTimeoutSeconds ` +
        `(${stopTimeoutSeconds} s): the task is killed with work in its hands.`,
      `Set ${path}.drainSeconds below ${stopTimeoutSeconds}.`,
    ),
  ];
}
