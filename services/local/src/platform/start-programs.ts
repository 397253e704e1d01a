import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { configure, ONE_OFF_TASKS, SERVICES } from '@matsuri/contract';

import type { EcsStandIn } from '../ecs/start-ecs';
import type { Balancer } from '../elastic-load-balancing/balancer';
import type { OnProgress } from '../engines/progress';
import { buildPrograms, builtProgram, CONSOLE } from './built-programs';
import {
  apiVariables,
  autoscalerVariables,
  loadCatalogueVariables,
  LOCAL_CLUSTER,
  migrateVariables,
  orchestratorVariables,
} from './program-environment';
import type { ProgramWorld } from './program-environment';

const PROGRAMS = {
  orchestrator: SERVICES.orchestrator,
  api: SERVICES.api,
  autoscaler: SERVICES.autoscaler,
  migrate: ONE_OFF_TASKS.migrate,
  loadCatalogue: ONE_OFF_TASKS.loadCatalogue,
};

/** Where the programs answer, each behind its own balancer. */
export interface Programs {
  readonly chatUrl: string;
  readonly apiUrl: string;
  /** In front of the orchestrators. */
  readonly chat: Balancer;
}

interface Service {
  readonly name: string;
  readonly tasks: number;
  readonly environment: (targetGroupArn: string) => Readonly<Record<string, string>>;
}

// What takes AWS half a minute need not take it here, and Ctrl-C should not have to wait.
const QUICK_START = { intervalMs: 500, healthyThreshold: 1, deregistrationDelayMs: 2_000 };
const CHAT_TASKS = 2;

/** Brings the database up to date, then runs the programs as ECS services behind balancers. */
export async function startPrograms(
  world: ProgramWorld,
  onProgress: OnProgress,
): Promise<Programs> {
  await buildPrograms(...Object.values(PROGRAMS), CONSOLE);
  onProgress('Programs and page: built');
  await runOnce(PROGRAMS.migrate, migrateVariables(world));
  onProgress('Database: schema is up to date');
  await runOnce(PROGRAMS.loadCatalogue, loadCatalogueVariables(world));
  onProgress('Catalogue: loaded and searchable');
  const [chat, api] = await Promise.all([
    startService(world, {
      name: PROGRAMS.orchestrator,
      tasks: CHAT_TASKS,
      environment: (arn) => orchestratorVariables(world, arn),
    }),
    startService(world, {
      name: PROGRAMS.api,
      tasks: 1,
      environment: () => apiVariables(world),
    }),
  ]);
  onProgress(`Programs: ${CHAT_TASKS} orchestrators and the API serve`);
  startAutoscaler(world);
  onProgress('Programs: the autoscaler watches');
  return { chatUrl: chat.url, apiUrl: api.url, chat };
}

async function startService(world: ProgramWorld, service: Service): Promise<Balancer> {
  const { ecs, elasticLoadBalancing } = world.aws;
  const group = elasticLoadBalancing.createTargetGroup({ name: service.name, ...QUICK_START });
  ecs.registerTaskDefinition({
    family: service.name,
    ...builtProgram(service.name),
    environment: service.environment(group.arn),
    separateHealthPort: true,
  });
  ecs.createService({
    name: service.name,
    taskDefinition: service.name,
    desiredCount: service.tasks,
    targetGroupArn: group.arn,
  });
  const balancer = await elasticLoadBalancing.startBalancer(group.arn, { spreadMs: 0 });
  await Promise.race([group.healthy(service.tasks), firstEnd(ecs, service.name)]);
  return balancer;
}

/** Lets the chat service be scaled, within what one machine carries. */
function startAutoscaler(world: ProgramWorld): void {
  const { ecs, applicationAutoScaling } = world.aws;
  const { minTasks, maxTasks } = configure(world.overrides).scaling;
  const chat = `service/${LOCAL_CLUSTER}/${PROGRAMS.orchestrator}`;
  applicationAutoScaling.register(chat, { min: minTasks, max: maxTasks });
  const name = PROGRAMS.autoscaler;
  ecs.registerTaskDefinition({
    family: name,
    ...builtProgram(name),
    environment: autoscalerVariables(world),
    listens: false,
    separateHealthPort: true,
  });
  ecs.createService({ name, taskDefinition: name, desiredCount: 1 });
}

/** Throws when a task of the service ends: at start that is a failure, whatever its reason. */
function firstEnd(ecs: EcsStandIn, name: string): Promise<never> {
  return new Promise((_, reject) => {
    const stop = ecs.onTaskChange((task) => {
      if (task.definition.family !== name || task.lastStatus !== 'STOPPED') return;
      stop();
      const lastWords = ecs
        .logs(task.id)
        .slice(-10)
        .map(({ text }) => text);
      reject(new Error([`${name} ended instead of serving:`, ...lastWords].join('\n')));
    });
  });
}

/** As a one-off task, before any service is updated. */
async function runOnce(name: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const { command, workingDirectory } = builtProgram(name);
  const [node, ...args] = command;
  const task = spawn(node, args, {
    cwd: workingDirectory,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(task, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${name} failed, as it says above: nothing was started.`);
}
