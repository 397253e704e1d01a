import type {
  Provides,
  apiEnvironment,
  apiSecrets,
  autoscalerEnvironment,
  autoscalerSecrets,
  jobsEnvironment,
  jobsSecrets,
  loadCatalogueEnvironment,
  loadCatalogueSecrets,
  migrateEnvironment,
  migrateSecrets,
  orchestratorEnvironment,
  orchestratorSecrets,
  workerEnvironment,
  workerSecrets,
} from '@matsuri/contract';
import { PATHS } from '@matsuri/contract';
import { Duration } from 'aws-cdk-lib';
import * as ecs from 'aws-cdk-lib/aws-ecs';

import { acknowledge, acknowledgeWildcard } from './acknowledge';

interface Reads<Variables, Secrets> {
  readonly variables: Variables;
  readonly secrets: Secrets;
}

/** What each program in a container reads at start, as the program itself declares it. */
interface Programs {
  orchestrator: Reads<typeof orchestratorEnvironment, typeof orchestratorSecrets>;
  api: Reads<typeof apiEnvironment, typeof apiSecrets>;
  autoscaler: Reads<typeof autoscalerEnvironment, typeof autoscalerSecrets>;
  jobs: Reads<typeof jobsEnvironment, typeof jobsSecrets>;
  worker: Reads<typeof workerEnvironment, typeof workerSecrets>;
  migrate: Reads<typeof migrateEnvironment, typeof migrateSecrets>;
  'load-catalogue': Reads<typeof loadCatalogueEnvironment, typeof loadCatalogueSecrets>;
}

type Program = keyof Programs;

/**
 * What a stack must give a program. A variable that is missing, misspelt or no longer read does not
 * compile; nor does a secret given in the clear.
 */
type ProgramInputs<P extends Program> = Omit<
  ecs.ContainerDefinitionOptions,
  'environment' | 'secrets' | 'user' | 'readonlyRootFilesystem' | 'privileged' | 'healthCheck'
> & {
  readonly variables: Provides<Programs[P]['variables'], string>;
  readonly secrets: Provides<Programs[P]['secrets'], ecs.Secret>;
  /**
   * Where the program says that it is alive.
   *
   * @default it ends by itself, and its end is looked at
   */
  readonly healthPort?: number;
};

/** Nobody in particular; the files of an image belong to root. */
const USER = '1000:1000';

/** The one way a program of ours gets into a task: with everything that it reads, and no more than it needs. */
export function addProgram<P extends Program>(
  task: ecs.TaskDefinition,
  program: P,
  { variables, secrets, healthPort, ...container }: ProgramInputs<P>,
): ecs.ContainerDefinition {
  const linuxParameters = new ecs.LinuxParameters(task, 'Linux');
  linuxParameters.dropCapabilities(ecs.Capability.ALL);
  acknowledge(task, 'ECS2', 'Variables carry names and figures; secrets come by reference.');
  acknowledgeWildcard(
    task.obtainExecutionRole(),
    '*',
    'A login to the registry knows no resources; what may be pulled is named.',
  );
  return task.addContainer(program, {
    linuxParameters,
    ...container,
    environment: { ...variables },
    secrets: { ...secrets },
    user: USER,
    readonlyRootFilesystem: true,
    privileged: false,
    ...(healthPort !== undefined && { healthCheck: asksForHealth(healthPort) }),
  });
}

/** The image has no shell tools: Node asks. */
function asksForHealth(port: number): ecs.HealthCheck {
  const url = `http://127.0.0.1:${port}${PATHS.health}`;
  const script = `fetch('${url}').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))`;
  return {
    command: ['CMD', 'node', '-e', script],
    interval: Duration.seconds(10),
    timeout: Duration.seconds(5),
    retries: 3,
    startPeriod: Duration.seconds(30),
  };
}
