import { EventEmitter } from 'node:events';
import { EventStream } from './event-stream';
import type { Exchange } from './exchange';

/** As much of a response as a stream deals with; nobody reads it until `drain` is emitted. */
class FakeResponse extends EventEmitter {
  headersSent = false;
  writableNeedDrain = true;
  write(): boolean {
    return false;
  }
}

function openStream() {
  const outgoing = new FakeResponse();
  const leave = jest.fn<undefined, [Error]>();
  const exchange = { outgoing, startedAtMs: 0, elapsedMs: 0, headers: () => ({}), leave };
  const stream = new EventStream(exchange as unknown as Exchange, {
    heartbeatMs: 15_000,
    slowReaderMs: 20_000,
  });
  return { outgoing, leave, stream };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('whatever is written to a client that does not read waits together', async () => {
  const { outgoing, stream } = openStream();
  const closeListeners = outgoing.listenerCount('close');
  const waits = Array.from({ length: 100 }, () => stream.write('x'));
  expect(outgoing.listenerCount('drain')).toBe(1);
  expect(outgoing.listenerCount('close')).toBe(closeListeners + 1);
  outgoing.emit('drain');
  await Promise.all(waits.map(async (wait) => wait));
  expect(outgoing.listenerCount('drain')).toBe(0);
  void stream.write('x');
  expect(outgoing.listenerCount('drain')).toBe(1);
});

test('a client that takes nothing for too long is given up, once', async () => {
  const { leave, stream } = openStream();
  const waits = [stream.write('x')];
  await jest.advanceTimersByTimeAsync(10_000);
  waits.push(stream.write('x'));
  await jest.advanceTimersByTimeAsync(10_000);
  await Promise.all(waits.map(async (wait) => wait));
  await jest.advanceTimersByTimeAsync(20_000);
  expect(leave).toHaveBeenCalledTimes(1);
});
