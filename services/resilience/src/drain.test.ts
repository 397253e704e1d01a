import { EventEmitter } from 'node:events';
import { Drain, drainOnSignal, type DrainOptions, type DrainStage } from './drain';
import { Finisher } from './finisher';
import { InFlight } from './in-flight';
import { settled, VirtualClock } from './testing';

function setUp(stages: readonly DrainStage[], options: Partial<DrainOptions> = {}) {
  const clock = new VirtualClock();
  const drain = new Drain({ stages, deadlineMs: 110_000, clock, ...options });
  return { clock, drain };
}

const hang = () => new Promise<never>(() => undefined);
const stage = (name: string, run: DrainStage['run'] = () => undefined): DrainStage => ({
  name,
  run,
});

test('runs its stages in order, each after the one before has ended', async () => {
  const order: string[] = [];
  const gate = Promise.withResolvers<undefined>();
  const { drain } = setUp([
    stage('readiness off', () => void order.push('readiness off')),
    stage('sessions', () => gate.promise.then(() => order.push('sessions'))),
    stage('connections', () => void order.push('connections')),
  ]);
  const report = drain.begin();
  await settled();
  expect(order).toEqual(['readiness off']);
  gate.resolve(undefined);
  expect((await report).outcome).toBe('clean');
  expect(order).toEqual(['readiness off', 'sessions', 'connections']);
});

test('a stage that fails or overstays does not keep the next from running', async () => {
  const errors: string[] = [];
  const { clock, drain } = setUp(
    [
      stage('sessions', () => Promise.reject(new Error('no'))),
      { name: 'streams', maxMs: 5_000, run: hang },
      stage('connections'),
    ],
    { onStageError: (_, name) => errors.push(name) },
  );
  const report = drain.begin();
  await clock.advance(5_000);
  const { outcome, stages } = await report;
  expect(outcome).toBe('incomplete');
  expect(stages.map((each) => each.outcome)).toEqual(['failed', 'timeout', 'done']);
  expect(errors).toEqual(['sessions']);
});

test('after the deadline the rest is skipped, and the report names what was left', async () => {
  const inFlight = new InFlight();
  inFlight.start('chat stream');
  inFlight.start('chat stream');
  const { clock, drain } = setUp([stage('streams', () => inFlight.idle()), stage('connections')], {
    left: () => inFlight.left(),
  });
  const report = drain.begin();
  await clock.advance(110_000);
  expect(await report).toEqual({
    outcome: 'incomplete',
    stages: [
      { name: 'streams', outcome: 'timeout', tookMs: 110_000 },
      { name: 'connections', outcome: 'skipped', tookMs: 0 },
    ],
    left: ['chat stream ×2'],
    tookMs: 110_000,
  });
  expect(clock.pendingTimers).toBe(0);
});

test('a stage knows how long it has', async () => {
  const { drain } = setUp([
    stage('sessions', (scope) => {
      expect(scope.deadlineAtMs).toBe(110_000);
      return undefined;
    }),
  ]);
  expect((await drain.begin()).outcome).toBe('clean');
});

test('the first signal drains, the second insists', async () => {
  const source = new EventEmitter();
  const { drain } = setUp([stage('streams', hang), stage('connections')]);
  const report = drainOnSignal(source, drain);
  source.emit('SIGTERM');
  await settled();
  expect(drain.started).toBe(true);
  source.emit('SIGTERM');
  const { outcome, stages } = await report;
  expect(outcome).toBe('forced');
  expect(stages.map((each) => each.outcome)).toEqual(['forced', 'skipped']);
  expect(source.listenerCount('SIGTERM') + source.listenerCount('SIGINT')).toBe(0);
});

test('a drain that began by itself is not cut short by the first signal', async () => {
  const source = new EventEmitter();
  const stream = Promise.withResolvers<undefined>();
  const { drain } = setUp([stage('streams', () => stream.promise), stage('connections')]);
  const report = drainOnSignal(source, drain);
  void drain.begin();
  source.emit('SIGTERM');
  await settled();
  stream.resolve(undefined);
  expect((await report).outcome).toBe('clean');
});

test('beginning twice drains once', async () => {
  const run = jest.fn(() => undefined);
  const { drain } = setUp([stage('readiness off', run)]);
  expect(await drain.begin()).toBe(await drain.begin());
  expect(run).toHaveBeenCalledTimes(1);
});

describe('work in flight', () => {
  test('is idle again when the last of it ends, whichever way', async () => {
    const inFlight = new InFlight();
    const idle = jest.fn();
    const end = inFlight.start('stream');
    const failing = inFlight.track('save', () => Promise.reject(new Error('no')));
    void inFlight.idle().then(idle);
    await expect(failing).rejects.toThrow('no');
    end();
    end();
    await settled();
    expect(idle).toHaveBeenCalled();
    expect(inFlight.count).toBe(0);
    await inFlight.idle();
  });
});

describe('the finisher', () => {
  test('waits for detached work, reports what fails, and takes no more than it may', async () => {
    const errors: string[] = [];
    const finisher = new Finisher({ maxRunning: 2, onError: (_, name) => errors.push(name) });
    const gate = Promise.withResolvers<undefined>();
    expect(finisher.detach('save turn', () => gate.promise)).toBe(true);
    expect(finisher.detach('settle', () => Promise.reject(new Error('no')))).toBe(true);
    expect(finisher.detach('one too many', hang)).toBe(false);
    await settled();
    expect(errors).toEqual(['settle']);
    expect(finisher.left()).toEqual(['save turn ×1']);
    gate.resolve(undefined);
    await finisher.idle();
    expect(finisher.running).toBe(0);
  });

  test('a synchronous throw is reported, not thrown at the one who detached it', async () => {
    const onError = jest.fn();
    const finisher = new Finisher({ maxRunning: 1, onError });
    const started = finisher.detach('settle', () => {
      throw new Error('at once');
    });
    await settled();
    expect(started).toBe(true);
    expect(onError).toHaveBeenCalledWith(new Error('at once'), 'settle');
  });
});
