/** What load balancers and ECS ask of a program, the program answers: at that path, and on that port. */
import { PORTS } from '@matsuri/contract';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

import { createHealthApp } from '../../services/api/src/health';
import { serveHealth } from '../../services/autoscaler/src/health';
import { healthListener } from '../../services/orchestrator/src/gateway/http/health';
import { ofType, synthesize } from './synthesized';
import type { Synthesized } from './synthesized';

let prod: Synthesized;

beforeAll(() => {
  prod = synthesize('prod');
});

const CONTAINERS = z.array(
  z.object({
    Name: z.string(),
    HealthCheck: z.object({ Command: z.array(z.string()) }).optional(),
    PortMappings: z.array(z.object({ ContainerPort: z.number() })).default([]),
  }),
);

function container(stack: string, program: string) {
  const found = ofType(prod.json(stack), 'AWS::ECS::TaskDefinition')
    .flatMap((task) => CONTAINERS.parse(task['ContainerDefinitions']))
    .find(({ Name }) => Name === program);
  const command = found?.HealthCheck?.Command.at(-1) ?? '';
  const [, port = '', path = ''] = /127\.0\.0\.1:(\d+)(\/\w+)'/.exec(command) ?? [];
  return {
    asked: { port: Number(port), path },
    listens: found?.PortMappings.map(({ ContainerPort }) => ContainerPort) ?? [],
  };
}

function targetGroup(stack: string) {
  const [group] = ofType(prod.json(stack), 'AWS::ElasticLoadBalancingV2::TargetGroup');
  return { path: String(group?.['HealthCheckPath']), port: group?.['HealthCheckPort'] };
}

/** The status with which a program that is ready answers; nothing it does not know is 200. */
async function orchestratorAnswers(path: string): Promise<number> {
  const server = createServer(healthListener(() => true)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
  server.close();
  return status;
}

async function apiAnswers(path: string): Promise<number> {
  const { status } = await createHealthApp({ ready: true }).request(path);
  return status;
}

async function autoscalerAnswers(path: string): Promise<number> {
  const health = await serveHealth({ port: 0, isAlive: () => true, isReady: () => true });
  const { status } = await fetch(`http://127.0.0.1:${health.port}${path}`);
  await health.close();
  return status;
}

test.each([
  ['chat', 'orchestrator', PORTS.orchestratorHealth, orchestratorAnswers],
  ['api', 'api', PORTS.apiHealth, apiAnswers],
  ['capacity', 'autoscaler', PORTS.backgroundHealth, autoscalerAnswers],
] as const)('ECS asks %s/%s whether it is alive', async (stack, program, port, answers) => {
  const { asked } = container(stack, program);
  expect(asked.port).toBe(port);
  expect(await answers(asked.path)).toBe(200);
  expect(await answers('/nowhere')).toBe(404);
});

test('the load balancer asks the orchestrator whether it is ready, where it listens', async () => {
  const { path, port } = targetGroup('chat');
  expect(await orchestratorAnswers(path)).toBe(200);
  expect(container('chat', 'orchestrator').listens.map(String)).toContain(port);
});

test('the load balancer asks the API where its traffic goes', async () => {
  const { path, port } = targetGroup('api');
  expect(port).toBe('traffic-port');
  expect(container('api', 'api').listens).toEqual([PORTS.api]);
  expect(await apiAnswers(path)).toBe(200);
});
