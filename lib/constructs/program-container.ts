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
import type * as ecs from 'aws-cdk-lib/aws-ecs';

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
  'environment' | 'secrets'
> & {
  readonly variables: Provides<Programs[P]['variables'], string>;
  readonly secrets: Provides<Programs[P]['secrets'], ecs.Secret>;
};

/** The one way a program of ours gets into a task: with everything that it reads. */
export function addProgram<P extends Program>(
  task: ecs.TaskDefinition,
  program: P,
  { variables, secrets, ...container }: ProgramInputs<P>,
): ecs.ContainerDefinition {
  return task.addContainer(program, {
    ...container,
    environment: { ...variables },
    secrets: { ...secrets },
  });
}
