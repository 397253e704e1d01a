/** The autoscaler as it ships: it runs by real time, answers for its health, and leaves in order. */
import { PATHS } from '@matsuri/contract';
import { startWorld, type CapacityWorld } from '../../../services/autoscaler/test/world/world';
import { eventually } from '../../chaos/harness/eventually';
import { numberAt } from '../../chaos/harness/json';
import { startProgramProcess } from '../../chaos/harness/program-process';

let world: CapacityWorld;

beforeAll(async () => {
  const overrides = { environment: 'e2e' };
  const startAt = new Date().toISOString();
  world = await startWorld({ timeScale: 1, startAt, overrides, tasks: 0 });
}, 30_000);

afterAll(() => world.close());

test('it begins, is healthy, and on SIGTERM leaves the lease to whoever comes next', async () => {
  const start = () =>
    startProgramProcess({
      name: 'autoscaler',
      program: 'autoscaler',
      environment: world.environment,
      readyMessage: 'running',
    });
  const first = await start();
  await eventually('its first cycle', () => first.log.find('active'), 20_000);
  const url = `http://127.0.0.1:${numberAt(first.ready, 'health_port') ?? 0}`;
  expect((await fetch(url + PATHS.health)).status).toBe(200);
  expect((await fetch(url + PATHS.ready)).status).toBe(200);
  await first.end('SIGTERM');
  expect(first.exitCode).toBe(0);
  expect(first.log.find('drained')).toBeDefined();

  // Released, not run out: the next one need not wait for half a minute.
  const second = await start();
  await eventually('its first cycle', () => second.log.find('active'), 20_000);
  expect(await world.stateEpoch()).toBe(2);
  await second.end('SIGTERM');
  expect(second.exitCode).toBe(0);
}, 60_000);
