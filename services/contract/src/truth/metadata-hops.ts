import type { PlatformConfiguration } from '../configuration/platform';
import { error, type Contradiction } from './contradiction';

/** On bridge networking a container is one hop further from the metadata service than its host. */
export function metadataHops(configuration: PlatformConfiguration): readonly Contradiction[] {
  const providers = [
    { path: 'api.hosts', hosts: configuration.api.hosts },
    { path: 'fleet.hosts', hosts: configuration.fleet.hosts },
  ];
  return providers
    .filter(({ hosts }) => hosts.networkMode === 'bridge' && hosts.metadataHopLimit > 1)
    .map(({ path, hosts }) =>
      error(
        'metadata-reachable',
        `${path}.metadataHopLimit is ${hosts.metadataHopLimit}: on bridge networking every container can then fetch the ` +
          'credentials of its host.',
        `Set ${path}.metadataHopLimit to 1.`,
      ),
    );
}
