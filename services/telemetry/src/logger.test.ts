import fc from 'fast-check';

import type { Logger, LoggerOptions } from './logger';
import { createLogger } from './logger';
import { prettyLines } from './pretty-lines';
import { createTracer } from './tracer';

const TOKEN = `mts_${'a1B2'.repeat(11)}`;
const ESCAPES = '\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m\u007f\u202e';

interface Logged {
  readonly log: Logger;
  readonly lines: string[];
  readonly records: () => unknown[];
}

function logged(options: Partial<LoggerOptions> = {}): Logged {
  const lines: string[] = [];
  const log = createLogger({
    service: 'orchestrator',
    level: 'debug',
    pretty: false,
    clock: () => 0,
    write: (line) => lines.push(line),
    ...options,
  });
  return { log, lines, records: () => lines.map((line): unknown => JSON.parse(line)) };
}

test('a line is one JSON object', () => {
  const { log, lines, records } = logged();
  log.info('turn answered', { model: 'sonnet', outputTokens: 12 });
  expect(records()).toEqual([
    {
      level: 'info',
      time: '1970-01-01T00:00:00.000Z',
      service: 'orchestrator',
      msg: 'turn answered',
      model: 'sonnet',
      outputTokens: 12,
    },
  ]);
  expect(lines[0]).toMatch(/\}\n$/);
});

test('what is below the level is neither written nor looked at', () => {
  const { log, lines } = logged({ level: 'warn' });
  log.info('quiet', {
    get costly(): never {
      throw new Error('read');
    },
  });
  expect(lines).toEqual([]);
  expect(log.isEnabled('info')).toBe(false);
  expect(log.isEnabled('error')).toBe(true);
});

test('a child adds its fields to every line, its own child further ones', () => {
  const { log, records } = logged({ fields: { version: '1' } });
  const request = log.child({ request_id: 'r1', token: TOKEN });
  request.child({ turn: 2 }).warn('slow', { turn: 3 });
  expect(records()).toEqual([
    expect.objectContaining({ version: '1', request_id: 'r1', token: '[redacted]', turn: 3 }),
  ]);
});

test('lines inside a trace carry its ids', async () => {
  const tracer = createTracer({ clock: () => 0, randomHex: (n) => 'ab'.repeat(n) });
  const { log, records } = logged({ trace: tracer.current });
  const root = '1-5759e988-bd862e3fe1be46a994272793';
  const headers: Record<string, string> = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'x-amzn-trace-id': `Root=${root}`,
  };
  await tracer.run(
    tracer.accept((name) => headers[name]),
    async () => {
      await Promise.resolve();
      log.info('inside');
    },
  );
  log.info('outside');
  expect(records()[0]).toMatchObject({
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    span_id: 'ab'.repeat(8),
    load_balancer_root: root,
  });
  expect(records()[1]).not.toHaveProperty('trace_id');
});

test('fields cannot pose as the message, the level or the trace of a line', () => {
  const { log, records } = logged();
  log.info('real', {
    msg: 'forged',
    level: 'fatal',
    time: 'never',
    service: 'other',
    trace_id: 'x',
  });
  expect(records()).toEqual([
    expect.objectContaining({
      msg: 'real',
      level: 'info',
      service: 'orchestrator',
      msg_: 'forged',
    }),
  ]);
});

test('a hostile field name cannot break out of its quotes', () => {
  const { log, records } = logged();
  log.info('real', { 'a":1,"level":"fatal","b': 1, hasOwnProperty: 1, __proto__: null });
  expect(records()).toEqual([expect.objectContaining({ level: 'info' })]);
});

test('something that looks like a request is logged as what it is', () => {
  const { log, records } = logged();
  log.info('x', { method: 'GET', headers: { cookie: 'a=b' }, socket: {}, setHeader: () => 1 });
  expect(records()).toEqual([
    expect.objectContaining({ method: 'GET', headers: { cookie: '[redacted]' }, socket: {} }),
  ]);
});

test('secrets come out neither of messages nor of errors', () => {
  const { log, lines } = logged();
  const err = new Error(`refused ${TOKEN}`, { cause: new Error('redis://:hunter2@cache') });
  log.error(`could not use ${TOKEN}`, { err, authorization: 'hunter2' });
  expect(lines.join('')).not.toMatch(/a1B2|hunter2/);
  expect(lines.join('')).toContain('refused mts_[redacted]');
});

test('percent signs in a message are text', () => {
  const { log, records } = logged();
  log.info('100%s done %j %%');
  expect(records()).toEqual([expect.objectContaining({ msg: '100%s done %j %%' })]);
});

test('no value throws, and every line stays one line of JSON', () => {
  const anything = fc.anything({
    withBigInt: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
  });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), anything, (message, value) => {
      const { log, lines, records } = logged();
      log.info(message, { value });
      expect(lines).toHaveLength(1);
      expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
      expect(records()).toHaveLength(1);
    }),
  );
});

describe('on a terminal', () => {
  const pretty = prettyLines({ colorize: false });
  const printed = (...args: Parameters<Logger['error']>): string => {
    const { log, lines } = logged();
    log.error(...args);
    return lines.map(pretty).join('');
  };

  test('a line reads as one', () => {
    const { log, lines } = logged();
    log.info('turn answered', { model: 'sonnet', tokens: 12 });
    expect(pretty(lines[0] ?? '')).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: orchestrator: turn answered \{"model":"sonnet","tokens":12\}\n$/,
    );
  });

  test('an error shows its stack', () => {
    expect(printed('failed', { err: new Error('boom') })).toMatch(/Error: boom\n +at /);
  });

  test('nothing that is logged can act on the terminal or pose as another line', () => {
    const forged = `${ESCAPES}\r\n[00:00:00.000] FATAL: orchestrator: forged`;
    const out = printed(`a${forged}`, {
      reason: forged,
      [forged]: forged,
      nested: [{ deep: forged }],
      err: Object.assign(new Error(forged, { cause: new Error(forged) }), { code: forged }),
    });
    expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    expect(out.split('\n').filter((line) => line.startsWith('['))).toHaveLength(1);
  });

  test('random text leaves no control character behind', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.object({ key: fc.string({ unit: 'binary' }) }),
        (message, value) => {
          expect(printed(message, value)).not.toMatch(/[^\P{Cc}\n]/u);
        },
      ),
    );
  });

  test('metrics are not shown, and what is no record is passed on inert', () => {
    expect(pretty('{"_aws":{"Timestamp":1,"CloudWatchMetrics":[]}}')).toBe('');
    expect(pretty(`Segmentation fault ${ESCAPES}\n`)).toMatch(/^Segmentation fault \\x1b\]52/);
    expect(pretty('"text"')).toBe('"text"\n');
  });

  test('the logger prints so when it is asked to', () => {
    const { log, lines } = logged({ pretty: true });
    log.info('hello');
    expect(lines.join('')).toContain('hello');
    expect(lines.join('')).not.toContain('"msg"');
  });
});
