import { PATHS } from '@matsuri/contract';
import { createHealthApp } from '../src/health';

test('a program that drains is alive but not ready', async () => {
  const readiness = { ready: true };
  const app = createHealthApp(readiness);
  expect((await app.request(PATHS.ready)).status).toBe(200);
  readiness.ready = false;
  expect((await app.request(PATHS.ready)).status).toBe(503);
  expect((await app.request(PATHS.health)).status).toBe(200);
});
