import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** The balancer keeps a draining target connected for at least as long as the task hands its clients over. */
export function deregistration(configuration: PlatformConfiguration): readonly Contradiction[] {
  const services = [
    { path: 'orchestrator.drain', ...configuration.orchestrator.drain },
    { path: 'api.drain', ...configuration.api.drain },
  ];
  return services
    .filter((it) => it.deregistrationDelaySeconds < it.drainSeconds)
    .map((it) =>
      error(
        'deregistration-cuts-drain',
        `${it.path}.deregistrationDelaySeconds is ${it.deregistrationDelaySeconds} s, but the drain takes up to ` +
          `${it.drainSeconds} s: the balancer cuts streams that were about to finish.`,
        `Set ${it.path}.deregistrationDelaySeconds to at least ${it.drainSeconds}.`,
      ),
    );
}
