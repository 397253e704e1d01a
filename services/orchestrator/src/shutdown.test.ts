import { sleep } from '@matsuri/resilience';
import { VirtualClock } from '@matsuri/resilience/testing';
import { createShutdown, type ShutdownOptions } from './shutdown';

const done = () => Promise.resolve();
const nothing = () => undefined;
const listening = { port: 0, finish: done, destroy: nothing };
const noClient = { close: done, disconnect: nothing };

/** Everything ends at once and says so, unless the test knows better. */
function setUp(changes: (clock: VirtualClock, events: string[]) => object = () => ({})) {
  const clock = new VirtualClock();
  const events: string[] = [];
  const say = (event: string) => () => void events.push(event);
  const readiness = { ready: true };
  const idle = { idle: done, left: () => [], abandon: nothing };
  const options = {
    readiness,
    server: listening,
    health: listening,
    gateway: idle,
    completions: idle,
    chat: {
      sessions: { drain: done, abandon: done, close: done, left: () => [] },
      stop: nothing,
      close: done,
    },
    departure: { due: new Promise(nothing), reason: () => 'drain', unrouted: done },
    clients: {
      tasks: noClient,
      ledger: noClient,
      tokenChanges: noClient,
      pool: noClient,
      bedrock: noClient,
      redis: noClient,
    },
    metrics: { close: say('metrics') },
    log: { info: nothing, error: nothing },
    settings: { drainSeconds: 110 },
    stop: say('stop'),
    close: say('close'),
    clock,
    ...changes(clock, events),
  };
  const drain = createShutdown(options as unknown as ShutdownOptions);
  return { drain, clock, events };
}

test('a database that is away does not keep the last readings from being written', async () => {
  const { drain, clock, events } = setUp((virtual) => ({
    clients: {
      tasks: noClient,
      ledger: { close: (patienceMs: number) => sleep(patienceMs, virtual) },
      tokenChanges: { close: () => new Promise(nothing) },
      pool: noClient,
      bedrock: noClient,
    },
  }));
  const report = drain.begin();
  await clock.advance(10_000);
  const { stages } = await report;
  expect(stages.at(-2)).toMatchObject({ name: 'connections', outcome: 'timeout' });
  expect(events).toEqual(['stop', 'metrics', 'close']);
});

test('the last readings are written though every stage before took all its time', async () => {
  const { drain, clock, events } = setUp(() => {
    const hang = () => new Promise(nothing);
    return {
      gateway: { idle: hang, left: () => ['call'] },
      chat: {
        sessions: { drain: hang, abandon: hang, close: done, left: () => [] },
        stop: nothing,
        close: hang,
      },
    };
  });
  const report = drain.begin();
  await clock.advance(110_000);
  expect((await report).outcome).toBe('incomplete');
  expect(events).toContain('metrics');
});

test('what answers need is kept while they are finished', async () => {
  const answers = Promise.withResolvers<undefined>();
  const { drain, events } = setUp((_, said) => ({
    gateway: { idle: () => answers.promise.then(() => said.push('answers')), left: () => [] },
  }));
  const report = drain.begin();
  answers.resolve(undefined);
  expect((await report).outcome).toBe('clean');
  expect(events.indexOf('close')).toBeGreaterThan(events.indexOf('answers'));
});
