import fc from 'fast-check';

import { parseAmazonTrace } from './amazon-trace';
import type { TraceSource } from './trace-context';
import { childSpan, continueTrace, outgoingHeaders } from './trace-context';
import { formatTraceparent, parseTraceparent } from './traceparent';
import { formatTracestate, parseTracestate } from './tracestate';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;
const ROOT = '1-5759e988-bd862e3fe1be46a994272793';

const hex = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${String(length)}}$`)).filter((id) => !/^0+$/.test(id));

function counting(): TraceSource {
  let count = 0;
  const randomHex = (bytes: number): string => {
    count += 1;
    return count.toString(16).padStart(bytes * 2, '0');
  };
  return { nowMs: 0x5759e988 * 1000, randomHex };
}

const joined = (headers: Record<string, string | readonly string[]>) =>
  continueTrace((name) => headers[name], counting());

describe('traceparent', () => {
  test.each([
    ['version 00', PARENT, true],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, false],
    ['unknown flags', `00-${TRACE}-${SPAN}-03`, true],
    ['a later version', `cc-${TRACE}-${SPAN}-01`, true],
    ['a later version with more to say', `cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
  ])('is read: %s', (_, header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
  });

  test.each([
    ['empty', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['version in capitals', `0A-${TRACE}-${SPAN}-01`],
    ['version 00 with more', `00-${TRACE}-${SPAN}-01-x`],
    ['version 00 with a trailing hyphen', `00-${TRACE}-${SPAN}-01-`],
    ['a later version that goes on without a hyphen', `cc-${TRACE}-${SPAN}-01.x`],
    ['a zero trace id', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a zero span id', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a trace id in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a long span id', `00-${TRACE}-${SPAN}a-01`],
    ['flags that are no number', `00-${TRACE}-${SPAN}-0x`],
    ['surrounding space', ` ${PARENT}`],
    ['two joined into one', `${PARENT}, ${PARENT}`],
  ])('is no parent: %s', (_, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  test('comes back as it was written', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.boolean(), (traceId, spanId, sampled) => {
        const parent = { traceId, spanId, sampled };
        expect(parseTraceparent(formatTraceparent(parent))).toEqual(parent);
      }),
    );
  });
});

describe('tracestate', () => {
  const list = (count: number): string =>
    Array.from({ length: count }, (_, i) => `k${String(i)}=v`).join(',');

  test.each([
    ['one member', 'foo=1', 'foo=1'],
    ['tenant and system', 'fw529a3039@dt=FfFfFf', 'fw529a3039@dt=FfFfFf'],
    ['a tenant that begins with a digit', '0@a=1', '0@a=1'],
    ['space and empty members', 'foo=1 \t , ,\tbar=2,', 'foo=1,bar=2'],
    ['a space inside a value', 'foo= a b', 'foo= a b'],
    ['the first of a repeated key', 'foo=1,bar=2,foo=3', 'foo=1,bar=2'],
    ['32 members', list(32), list(32)],
    ['a key of 256 characters', `${'z'.repeat(256)}=1`, ''],
  ])('is read: %s', (_, header, expected) => {
    const members = parseTracestate(header);
    expect(members).toBeDefined();
    if (expected !== '') expect(formatTracestate(members ?? [])).toBe(expected);
  });

  test.each([
    ['no value', 'foo'],
    ['an empty value', 'foo='],
    ['an empty key', '=1'],
    ['a key in capitals', 'FOO=1'],
    ['space before the sign', 'foo =1'],
    ['a sign inside the value', 'foo=bar=baz'],
    ['a simple key that begins with a digit', '0foo=1'],
    ['two at-signs', 'foo@bar@baz=1'],
    ['no tenant', '@foo=1'],
    ['no system', 'foo@=1'],
    ['a long system', `t@${'v'.repeat(15)}=1`],
    ['a long tenant', `${'t'.repeat(242)}@v=1`],
    ['a long key', `${'z'.repeat(257)}=1`],
    ['a long value', `foo=${'v'.repeat(257)}`],
    ['a control character', 'foo=a\u0001b'],
    ['33 members', list(33)],
  ])('is void: %s', (_, header) => {
    expect(parseTracestate(header)).toBeUndefined();
  });

  test('of several headers is one list', () => {
    expect(formatTracestate(parseTracestate(['foo=1,bar=2', 'rojo=3']) ?? [])).toBe(
      'foo=1,bar=2,rojo=3',
    );
  });

  test('too long to pass on loses its large members first, then its oldest', () => {
    const large = `large=${'x'.repeat(200)}`;
    const small = Array.from(
      { length: 20 },
      (_, i) => `k${String(i).padStart(2, '0')}=${'y'.repeat(30)}`,
    );
    const sent = formatTracestate(parseTracestate([large, ...small]) ?? []);
    expect(sent.length).toBeLessThanOrEqual(512);
    expect(sent).not.toContain('large');
    expect(sent.split(',')).toEqual(small.slice(0, sent.split(',').length));
  });
});

describe('the trace of a request', () => {
  test('is the caller’s, below the caller’s span', () => {
    expect(joined({ traceparent: PARENT, tracestate: 'foo=1' })).toEqual({
      traceId: TRACE,
      spanId: '0000000000000001',
      parentSpanId: SPAN,
      sampled: true,
      tracestate: [{ key: 'foo', value: '1' }],
    });
  });

  test('remembers the load balancer’s id when the caller has one of its own', () => {
    expect(joined({ traceparent: PARENT, 'x-amzn-trace-id': `Root=${ROOT}` })).toMatchObject({
      traceId: TRACE,
      loadBalancerRoot: ROOT,
    });
  });

  test('is the load balancer’s when the caller has none', () => {
    expect(joined({ 'x-amzn-trace-id': `Root=${ROOT};Sampled=0` })).toEqual({
      traceId: '5759e988bd862e3fe1be46a994272793',
      spanId: '0000000000000001',
      sampled: false,
      tracestate: [],
    });
  });

  test('begins here when nobody had one, with the time in front as X-Ray expects', () => {
    expect(joined({})).toMatchObject({
      traceId: '5759e988000000000000000000000002',
      sampled: true,
    });
  });

  test.each([
    ['malformed', { traceparent: 'nonsense', tracestate: 'foo=1' }],
    ['sent twice', { traceparent: [PARENT, PARENT], tracestate: 'foo=1' }],
  ])('begins here when traceparent is %s, and tracestate is dropped', (_, headers) => {
    const context = joined(headers);
    expect(context.traceId).not.toBe(TRACE);
    expect(context.tracestate).toEqual([]);
  });

  test('survives a malformed tracestate', () => {
    expect(joined({ traceparent: PARENT, tracestate: 'FOO=1' })).toMatchObject({
      traceId: TRACE,
      tracestate: [],
    });
  });

  test('is never zero, even when chance says so', () => {
    const context = continueTrace(() => undefined, { nowMs: 0, randomHex: (n) => '00'.repeat(n) });
    expect(parseTraceparent(outgoingHeaders(context)['traceparent'] ?? '')).toBeDefined();
  });

  test('goes on in a child span and in the headers sent', () => {
    const context = joined({ traceparent: PARENT, tracestate: 'foo=1' });
    const child = childSpan(context, () => 'b'.repeat(16));
    expect(child.parentSpanId).toBe(context.spanId);
    expect(outgoingHeaders(child)).toEqual({
      traceparent: `00-${TRACE}-${'b'.repeat(16)}-01`,
      tracestate: 'foo=1',
      'x-amzn-trace-id': `Root=1-${TRACE.slice(0, 8)}-${TRACE.slice(8)};Parent=${'b'.repeat(16)};Sampled=1`,
    });
  });
});

describe('X-Amzn-Trace-Id', () => {
  test.each([
    ['Root alone', `Root=${ROOT}`, {}],
    ['everything', `Root=${ROOT};Parent=${SPAN};Sampled=1`, { spanId: SPAN, sampled: true }],
    ['other fields', `Self=1-67891234-12456789abcdef012345678;Root=${ROOT};Lineage=a:b`, {}],
    ['an undecided sample', `Root=${ROOT}; Sampled=?`, {}],
    ['a parent that is none', `Root=${ROOT};Parent=xyz`, {}],
  ])('is read: %s', (_, header, more) => {
    expect(parseAmazonTrace(header)).toEqual({
      traceId: '5759e988bd862e3fe1be46a994272793',
      ...more,
    });
  });

  test.each([
    '',
    'Root=',
    'Parent=00f067aa0ba902b7',
    'Root=2-5759e988-bd862e3fe1be46a994272793',
    `Root=1-${'0'.repeat(8)}-${'0'.repeat(24)}`,
  ])('is no trace: %s', (header) => {
    expect(parseAmazonTrace(header)).toBeUndefined();
  });

  test('and traceparent sent together name the same trace', () => {
    fc.assert(
      fc.property(hex(32), hex(16), fc.boolean(), (traceId, spanId, sampled) => {
        const sent = outgoingHeaders({ traceId, spanId, sampled, tracestate: [] });
        expect(parseAmazonTrace(sent['x-amzn-trace-id'] ?? '')).toEqual(
          parseTraceparent(sent['traceparent'] ?? ''),
        );
      }),
    );
  });
});
