import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { seededRandom } from './core/random';
import type { Toxic } from './core/toxic';
import { READ_AHEAD_BYTES } from './read-ahead';
import { startFaultProxy } from './start-fault-proxy';
import { bothEndsMaker, ending, nextBytes, received } from './testing/both-ends';

jest.setTimeout(30_000);

const { make, endAll } = bothEndsMaker();
afterEach(endAll);

/** Long enough for anything that could arrive on loopback to have arrived. */
const QUIET_MS = 100;

const quiet = (): Promise<string> => delay(QUIET_MS, 'quiet');

const random = seededRandom(1);
const POOL = Buffer.from(Uint8Array.from({ length: 1 << 20 }, () => random() * 256));

/** Bytes that look like no other bytes of the pool. */
function bytes(count: number, from = 0): Buffer {
  return POOL.subarray(from, from + count);
}

describe('bytes', () => {
  const harmless: Toxic[] = [
    { type: 'slicer', averageBytes: 700, variationBytes: 699 },
    { type: 'latency', latencyMs: 2, jitterMs: 2 },
    { type: 'bandwidth', bytesPerSecond: 50_000_000 },
  ];

  test.each<[string, Toxic[]]>([
    ['no toxic at all', []],
    ['toxics that only delay', harmless],
  ])('arrive whole and in order, and half-closing passes, under %s', async (_, toxics) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { maxLength: 20 });
    const scenario = fc.asyncProperty(sizes, sizes, fc.nat(100_000), async (up, down, from) => {
      const { proxy, client, server } = await make();
      for (const toxic of toxics) proxy.add(toxic);
      const [request, response] = [up, down].map((each) =>
        each.map((size, index) => bytes(size, from + index)),
      );

      const heardByServer = received(server);
      for (const chunk of request ?? []) client.write(chunk);
      client.end();
      expect((await heardByServer).equals(Buffer.concat(request ?? []))).toBe(true);

      const heardByClient = received(client);
      for (const chunk of response ?? []) server.write(chunk);
      server.end();
      expect((await heardByClient).equals(Buffer.concat(response ?? []))).toBe(true);
      await endAll();
    });
    await fc.assert(scenario, { numRuns: 60 });
  });

  test('are not hoarded for a receiver that does not read', async () => {
    const { proxy, client, server } = await make();
    const flood = bytes(1 << 20);
    const sent = 64;
    for (let index = 0; index < sent; index += 1) client.write(flood);
    client.end();
    await quiet();
    // One chunk may be read beyond the mark, in each direction.
    expect(proxy.stats().bufferedBytes).toBeLessThanOrEqual(2 * (READ_AHEAD_BYTES + 65_536));
    expect(client.writableLength).toBeGreaterThan(0);

    expect(await received(server)).toHaveLength(sent * flood.length);
  });

  test('of a limit pass to the last, and not one more', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'slicer', averageBytes: 7, variationBytes: 6 });
    proxy.add({ type: 'limit_data', direction: 'downstream', bytes: 1_000 });
    const sent = bytes(5_000);
    const serverEnds = ending(server);
    server.write(sent);
    expect((await received(client)).equals(sent.subarray(0, 1_000))).toBe(true);
    await serverEnds;
  });
});

describe('a black hole', () => {
  test('swallows both directions until it is removed, and loses nothing', async () => {
    const { proxy, client, server } = await make();
    const hole = proxy.add({ type: 'timeout' });
    client.write('up');
    server.write('down');
    const arrivals = [nextBytes(server, 2), nextBytes(client, 4)];
    expect(await Promise.race([...arrivals, quiet()])).toBe('quiet');

    proxy.remove(hole);
    expect(await Promise.all(arrivals)).toEqual(['up', 'down']);
  });

  test('in one direction leaves the other alone', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'timeout', direction: 'downstream' });
    client.write('up');
    expect(await nextBytes(server, 2)).toBe('up');
    server.write('down');
    expect(await Promise.race([nextBytes(client, 4), quiet()])).toBe('quiet');
  });

  test.each<[string, 'end' | 'resetAndDestroy', string]>([
    ['closed', 'end', 'closed'],
    ['reset', 'resetAndDestroy', 'ECONNRESET'],
  ])('hides that the server has %s the connection', async (_, leave, news) => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'timeout', direction: 'downstream' });
    server.resume();
    server[leave]();
    const clientEnds = ending(client);
    expect(await Promise.race([clientEnds, quiet()])).toBe('quiet');

    proxy.heal();
    expect(await clientEnds).toBe(news);
  });

  test('can be told to close what it swallowed', async () => {
    const { proxy, client } = await make();
    proxy.add({ type: 'timeout', closeAfterMs: 20 });
    expect(await ending(client)).toBe('closed');
  });
});

describe('a connection', () => {
  test('is reset on both sides', async () => {
    const { proxy, client, server } = await make();
    const ends = Promise.all([ending(client), ending(server)]);
    proxy.add({ type: 'reset_peer' });
    expect(await ends).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  test('opened under a reset is reset as well', async () => {
    const { proxy } = await make();
    proxy.add({ type: 'reset_peer', afterMs: 10 });
    const late = connect({ port: proxy.port, host: '127.0.0.1' });
    expect(await ending(late)).toBe('ECONNRESET');
  });

  test('is refused while the link is down, and accepted on the same port afterwards', async () => {
    const { proxy, client } = await make();
    const cut = ending(client);
    await proxy.down();
    expect(await cut).toBe('ECONNRESET');
    expect(await ending(connect({ port: proxy.port, host: '127.0.0.1' }))).toBe('ECONNREFUSED');

    await proxy.up();
    const again = connect({ port: proxy.port, host: '127.0.0.1' });
    await once(again, 'connect');
    again.destroy();
  });

  test('to a server that refuses is reset', async () => {
    const { proxy: nowhere } = await make();
    await nowhere.down();
    const proxy = await startFaultProxy({ upstream: { host: '127.0.0.1', port: nowhere.port } });
    expect(await ending(connect({ port: proxy.port, host: '127.0.0.1' }))).toBe('ECONNRESET');
    await proxy.close();
  });

  test('that has ended leaves nothing behind', async () => {
    const { proxy, client, server } = await make();
    const ends = [ending(client), ending(server)];
    client.end('bye');
    await Promise.all(ends);
    while (proxy.stats().openConnections > 0) await delay(5);
    expect(proxy.stats()).toMatchObject({
      acceptedConnections: 1,
      passedBytes: { upstream: 3, downstream: 0 },
      bufferedBytes: 0,
    });
  });
});

describe('time', () => {
  test('latency delays every byte, and its removal releases those on the way', async () => {
    const { proxy, client, server } = await make();
    const slow = proxy.add({ type: 'latency', direction: 'upstream', latencyMs: 60_000 });
    client.write('late');
    const arrival = nextBytes(server, 4);
    expect(await Promise.race([arrival, quiet()])).toBe('quiet');

    proxy.remove(slow);
    expect(await arrival).toBe('late');
  });

  test('latency does not add up over the pieces of a stream', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'latency', direction: 'upstream', latencyMs: 100 });
    const sentAtMs = performance.now();
    const arrival = received(server);
    for (let index = 0; index < 50; index += 1) {
      client.write('x');
      await delay(1);
    }
    client.end();
    expect(await arrival).toHaveLength(50);
    const tookMs = performance.now() - sentAtMs;
    expect(tookMs).toBeGreaterThanOrEqual(100);
    expect(tookMs).toBeLessThan(50 * 100);
  });

  test('bandwidth stretches a transfer', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'bandwidth', direction: 'upstream', bytesPerSecond: 50_000 });
    const startedAtMs = performance.now();
    const arrival = received(server);
    client.end(bytes(10_000));
    expect(await arrival).toHaveLength(10_000);
    // 200 ms at this rate, the pause after the last piece not counted.
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(140);
  });

  test('a slicer makes many small arrivals of one write', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'slicer', averageBytes: 1, delayMs: 5 });
    const sizes: number[] = [];
    server.on('data', (chunk: Buffer) => sizes.push(chunk.length));
    const arrival = received(server);
    client.end('twelve bytes');
    expect((await arrival).toString()).toBe('twelve bytes');
    expect(sizes.length).toBeGreaterThan(3);
  });

  test('a slow close delays the end, not the data', async () => {
    const { proxy, client, server } = await make();
    proxy.add({ type: 'slow_close', delayMs: 60_000 });
    const ended = once(server, 'end').then(() => 'ended');
    client.end('last words');
    expect(await nextBytes(server, 10)).toBe('last words');
    expect(await Promise.race([ended, quiet()])).toBe('quiet');

    proxy.heal();
    expect(await ended).toBe('ended');
  });
});

test('figures that make no sense are refused', async () => {
  const { proxy } = await make();
  expect(() => proxy.add({ type: 'bandwidth', bytesPerSecond: 0 })).toThrow(RangeError);
});
