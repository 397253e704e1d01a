import { AwsError } from '../wire/aws-error';
import type { Clock } from '../clock/clock';
import type { Cluster } from './cluster';
import type { Service } from './core/service-plan';
import type { TaskDefinition } from './core/task-definition';
import type { DefinitionBook } from './definitions';
import type { EcsScriptState } from './ecs-script';
import type { Arns } from './present';

/** What every ECS operation works on. */
export interface EcsContext {
  readonly clusterName: string;
  readonly cluster: Cluster;
  readonly definitions: DefinitionBook;
  readonly arns: Arns;
  readonly script: EcsScriptState;
  readonly clock: Clock;
}

/** The last part of an ARN, or the name itself. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function assertCluster(context: EcsContext, cluster: string | undefined): void {
  if (cluster !== undefined && nameIn(cluster) === context.clusterName) return;
  throw new AwsError('ClusterNotFoundException', `Cluster not found: ${cluster ?? 'default'}`);
}

export function serviceOf(context: EcsContext, reference: string): Service {
  const service = context.cluster.service(nameIn(reference));
  if (service !== undefined) return service;
  throw new AwsError('ServiceNotFoundException', `Service not found: ${reference}`);
}

export function definitionOf(context: EcsContext, reference: string): TaskDefinition {
  const definition = context.definitions.find(reference);
  if (definition !== undefined) return definition;
  throw new AwsError('ClientException', `Unable to find task definition: ${reference}`);
}
