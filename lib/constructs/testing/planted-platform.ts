import { App, Stack } from 'aws-cdk-lib';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import FLAGS from 'aws-cdk-lib/recommended-feature-flags.json';

import { environmentOf } from '../../config/environment';
import type { Environment } from '../../config/environment';
import { ENVIRONMENTS } from '../../config/environments';
import type { EnvironmentChoices } from '../../config/environments';
import { DataStack } from '../../stacks/data-stack';
import { ENV, plantedVpc } from './planted';
import { plantedBundles } from './planted-bundles';

/** Events of the calendar are ahead or over as seen from here. */
export const NOW_MS = Date.parse('2026-11-18T12:00:00+09:00');

/** Production with some of its choices made otherwise. */
export function plantedEnvironment(choices: Partial<EnvironmentChoices> = {}): Environment {
  return environmentOf('prod', { ...ENVIRONMENTS.prod, ...choices }, NOW_MS);
}

/** What a service of ours is put into: data in a stack of its own, a cluster, and something built. */
export function plantedPlatform(choices: Partial<EnvironmentChoices> = {}) {
  const environment = plantedEnvironment(choices);
  const app = new App({ postCliContext: FLAGS });
  const stack = new Stack(app, 'Planted', { env: ENV });
  const vpc = plantedVpc(stack);
  const data = new DataStack(app, 'Data', {
    env: ENV,
    vpc,
    platform: environment.platform,
    sizes: environment.data,
    keepsData: environment.keepsData,
  });
  const cluster = new ecs.Cluster(stack, 'Cluster', { vpc });
  const { folder, remove } = plantedBundles();
  return {
    stack,
    vpc,
    cluster,
    data,
    environment,
    bundles: { folder, nodeImage: 'node:24-slim' },
    /** Takes away what was built. */
    remove,
  };
}
