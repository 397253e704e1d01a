import { DatabaseUnavailableError, type TaskEnding } from '@matsuri/database';
import { VirtualClock } from '@matsuri/resilience/testing';
import type { Gateway } from '../gateway';
import { renderRefusal } from '../http/render-refusal';
import { aCall, setGatewayStage } from '../testing/gateway-stage';
import { createCompletionRunner } from './completion-runner';

type Finish = 'finished' | 'ended-before' | Error;

function setRunner(complete?: Gateway['complete'], finishes: Finish[] = []) {
  const stage = setGatewayStage();
  const clock = complete ? new VirtualClock(0) : stage.clock;
  const ended: TaskEnding[] = [];
  const warnings: unknown[] = [];
  const runner = createCompletionRunner({
    gateway: complete ? { complete } : stage.gateway,
    tasks: {
      finish: (_, ending) => {
        ended.push(ending);
        const next = finishes.shift() ?? 'finished';
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
    },
    renderRefusal,
    maxPendingMs: 330_000,
    longCallLogMs: 60_000,
    log: {
      info: () => undefined,
      warn: (_, fields) => void warnings.push(fields),
      error: () => undefined,
    },
    clock,
  });
  const { requestId, caller, request } = aCall();
  const start = (model = request.model): void =>
    runner.start({
      taskId: 'task-1',
      call: { requestId, caller, request: { ...request, model } },
      render: () => 'body',
    });
  return { runner, start, ended, warnings, clock };
}

const AWAY = new DatabaseUnavailableError('no-connection');

test('an answer ends its task, and so does a refusal', async () => {
  const { runner, start, ended, clock } = setRunner();
  start();
  start('nobody');
  await clock.advance(1_000);
  await runner.idle();
  expect(ended).toMatchObject([
    { status: 'failed', error: expect.stringContaining('model_not_found') as string },
    { status: 'completed', result: 'body' },
  ]);
});

test('an ending is told again and again until it is recorded', async () => {
  const { runner, start, ended, warnings, clock } = setRunner(undefined, [AWAY, AWAY]);
  start();
  await clock.advance(3_000);
  await runner.idle();
  expect(ended).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test('but not for longer than a task may pend, nor to a database that is closed', async () => {
  const forever = setRunner(undefined, Array<Finish>(10_000).fill(AWAY));
  forever.start();
  await forever.clock.advance(340_000);
  await forever.runner.idle();
  expect(forever.warnings).toHaveLength(1);

  const closed = setRunner(undefined, [new DatabaseUnavailableError('closed')]);
  closed.start();
  await closed.clock.advance(1_000);
  await closed.runner.idle();
  expect(closed.ended).toHaveLength(1);
});

test('a process that ends says so for everything that still runs', async () => {
  const { runner, start, ended } = setRunner(
    ({ signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      ),
  );
  start();
  expect(runner.left()).toEqual(['async completion ×1']);
  runner.abandon();
  await runner.idle();
  expect(ended).toMatchObject([
    { status: 'failed', error: expect.stringContaining('shutting down') as string },
  ]);
  expect(runner.left()).toEqual([]);
});

test('what nobody foresaw is an error of ours, not a task that pends', async () => {
  const { runner, start, ended } = setRunner(() => Promise.reject(new Error('a bug')));
  start();
  await runner.idle();
  expect(ended).toMatchObject([
    { status: 'failed', error: expect.stringContaining('"status":500') as string },
  ]);
});
