import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { createTracer } from './tracer';

function tracer() {
  let count = 0;
  return createTracer({
    clock: () => 0,
    randomHex: (bytes) => (count += 1).toString(16).padStart(bytes * 2, '0'),
  });
}

test('outside of a trace there is neither a context nor a header', () => {
  const { current, headers } = tracer();
  expect(current()).toBeUndefined();
  expect(headers()).toEqual({});
});

test('concurrent requests keep their own traces across awaits', async () => {
  const { accept, run, current } = tracer();
  const request = async (): Promise<boolean> => {
    const context = accept(() => undefined);
    return run(context, async () => {
      for (let i = 0; i < 5; i += 1) await Promise.resolve();
      return current() === context;
    });
  };
  expect(await Promise.all([request(), request(), request()])).toEqual([true, true, true]);
});

test('a child span stands below the current one and ends with its work', () => {
  const { accept, run, runChild, current, headers } = tracer();
  const context = accept(() => undefined);
  run(context, () => {
    runChild((child) => {
      expect(child).toMatchObject({ traceId: context.traceId, parentSpanId: context.spanId });
      expect(headers()['traceparent']).toContain(child.spanId);
    });
    expect(current()).toBe(context);
  });
});

test('a trace is parsed when somebody asks where they are, once', async () => {
  const { join, current, runChild } = tracer();
  const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const header = (name: string): string | undefined =>
    name === 'traceparent' ? parent : undefined;
  await join(header, async () => {
    await Promise.resolve();
    const context = current();
    expect(context).toMatchObject({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
    });
    expect(current()).toBe(context);
    runChild((child) => expect(child.parentSpanId).toBe(context?.spanId));
  });
  expect(current()).toBeUndefined();
});

test('a request is not kept by what outlives it', async () => {
  const { join } = tracer();
  const startTimer = (): NodeJS.Timeout => setTimeout(() => undefined, 60_000);
  const answer = (): { readonly request: WeakRef<object>; readonly timer: NodeJS.Timeout } => {
    const request = { headers: new Map<string, string>(), prompt: 'long' };
    const timer = join((name) => request.headers.get(name), startTimer);
    return { request: new WeakRef(request), timer };
  };
  const { request, timer } = answer();
  // A weak reference holds until the turn in which it was made is over.
  await new Promise((next) => setImmediate(next));
  collectGarbage();
  expect(request.deref()).toBeUndefined();
  clearTimeout(timer);
});

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

test('a child span without a parent begins a trace', () => {
  const { runChild } = tracer();
  expect(runChild((context) => context.parentSpanId)).toBeUndefined();
});

test('ids differ and are well formed without injected randomness', () => {
  const { accept } = createTracer();
  const ids = Array.from({ length: 100 }, () => accept(() => undefined));
  expect(new Set(ids.map(({ traceId }) => traceId)).size).toBe(100);
  for (const { traceId, spanId } of ids) {
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
  }
});
