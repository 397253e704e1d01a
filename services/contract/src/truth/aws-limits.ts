import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

interface Limited {
  readonly path: string;
  readonly seconds: number;
  readonly what: string;
  readonly maxSeconds: number;
}

/** Figures AWS refuses at deploy, half an hour after they could have been seen. */
export function awsLimits(configuration: PlatformConfiguration): readonly Contradiction[] {
  return limited(configuration)
    .filter((it) => it.seconds < 1 || it.seconds > it.maxSeconds)
    .map((it) =>
      error(
        'aws-limit',
        `${it.path} is ${figure(it.seconds)} s, ${it.what} takes 1 to ${figure(it.maxSeconds)} s: the deployment fails.`,
        `Set ${it.path} to at most ${figure(it.maxSeconds)} s.`,
      ),
    );
}

function limited({ timeouts, orchestrator, api, queues }: PlatformConfiguration): Limited[] {
  const deregistration = { what: "a target group's deregistration delay", maxSeconds: 3_600 };
  const visibility = { what: "a queue's visibility timeout", maxSeconds: 43_200 };
  return [
    {
      path: 'timeouts.edgeReadMs',
      seconds: timeouts.edgeReadMs / 1_000,
      what: "CloudFront's origin read timeout",
      maxSeconds: 120,
    },
    {
      path: 'timeouts.albIdleMs',
      seconds: timeouts.albIdleMs / 1_000,
      what: "a load balancer's idle timeout",
      maxSeconds: 4_000,
    },
    {
      path: 'orchestrator.drain.deregistrationDelaySeconds',
      seconds: orchestrator.drain.deregistrationDelaySeconds,
      ...deregistration,
    },
    {
      path: 'api.drain.deregistrationDelaySeconds',
      seconds: api.drain.deregistrationDelaySeconds,
      ...deregistration,
    },
    {
      path: 'queues.workerControl.visibilitySeconds',
      seconds: queues.workerControl.visibilitySeconds,
      ...visibility,
    },
    {
      path: 'queues.orderTasks.visibilitySeconds',
      seconds: queues.orderTasks.visibilitySeconds,
      ...visibility,
    },
  ];
}
