import { seededRandom } from '../../chaos/harness/seeded-random';

/** Bytes, and whether they are a JSON text. */
export interface JsonSample {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isJson: boolean;
}

const VALUES = [
  ...['0', '-0', '1e5', '1E+2', '0.1', '-1.5e-10', '1e400', '-1e-400', '9007199254740993'],
  ...['1'.repeat(400), `0.${'3'.repeat(400)}`, 'true', 'false', 'null', '""', '[]', '{}'],
  ...[
    '"\\u0000"',
    '"\\ud834\\udd1e"',
    '"\\ud800"',
    '"\\udead\\ud83d"',
    '"\\/\\b\\f\\n\\r\\t\\"\\\\"',
  ],
  ...['"\u2028\u2029"', '"😀"', '"\u007f"', '[[[[[]]]]]', '[1,[2,[3]]]', ' [ 1 , 2 ] ', '\t\n\r 1'],
  ...['{"":0}', '{"a":1,"a":2}', '{"a":{"b":[{"c":null}]}}', '{"__proto__":1}'],
];

const NOT_VALUES = [
  ...['', ' ', '\u00a01', 'nul', 'True', 'undefined', 'NaN', '-NaN', 'Infinity', '-Infinity'],
  ...['+1', '.5', '1.', '01', '-01', '0x1', '1e', '1e+', '1_000', '- 1', '1 2', '--1', '1a'],
  ...['[', ']', '[1', '[1,', '[1,]', '[,1]', '[1 2]', '[1]]', '[1}', '[[]', '[1],', '[1]x'],
  ...['{', '}', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{,"a":1}', '{"a" 1}', '{a:1}', "{'a':1}"],
  ...['{1:1}', '{"a":1 "b":2}', '{"a":1}}', '{"a":1}#', '{"a":/*x*/1}', '{"a":1}//x', '{[]:1}'],
  ...['"', '"a', '"\\"', '"\\x41"', '"\\u12"', '"\\u123g"', '"\\a"', '"\u0000"', '"\n"', '"\t"'],
  ...["'a'", '`a`', '"a" "b"', '\ufffe1', '<json/>', '%7B%7D', 'a=1&b=2'],
];

/** Byte sequences that no decoder of UTF-8 may take. */
const NOT_UTF8 = [
  [0xff],
  [0xc0, 0xaf],
  [0xe2, 0x82],
  [0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xc3],
];

/** JSON and what only looks like it: every kind of value and of mistake, then cut and damaged copies of a request. */
export function jsonCorpus(request: object, seed: number, damaged: number): readonly JsonSample[] {
  const text = JSON.stringify(request);
  const wrapped = (value: string): string => `${text.slice(0, -1)},"metadata":${value}}`;
  return [
    ...VALUES.map((value) => sampleOf(`value ${value.slice(0, 20)}`, value)),
    ...VALUES.map((value) => sampleOf(`within, ${value.slice(0, 20)}`, wrapped(value))),
    ...NOT_VALUES.map((value) => sampleOf(`no value ${value.slice(0, 20)}`, value)),
    ...NOT_VALUES.map((value) =>
      sampleOf(`within, no value ${value.slice(0, 20)}`, wrapped(value)),
    ),
    ...NOT_UTF8.map((bytes) => ({
      name: `no UTF-8: ${bytes.map((byte) => byte.toString(16)).join(' ')}`,
      bytes: Buffer.concat([Buffer.from('{"model":"'), Buffer.from(bytes), Buffer.from('"}')]),
      isJson: false,
    })),
    ...prefixesOf(text),
    ...damagedCopies(Buffer.from(text), seed, damaged),
  ];
}

function sampleOf(name: string, text: string): JsonSample {
  return { name, bytes: Buffer.from(text), isJson: isJson(text) };
}

function prefixesOf(text: string): JsonSample[] {
  const step = Math.ceil(text.length / 40);
  return Array.from({ length: 40 }, (_, index) => index * step)
    .filter((length) => length < text.length)
    .map((length) => sampleOf(`cut after ${length}`, text.slice(0, length)));
}

/** Copies with a few bytes replaced, removed or doubled; decided by the seed. */
function damagedCopies(original: Buffer, seed: number, count: number): JsonSample[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    let bytes = Buffer.from(original);
    for (let times = random.between(1, 4); times > 0; times -= 1) {
      const at = random.between(0, bytes.length - 1);
      const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)];
      const instead = random.pick([
        [],
        [random.between(0, 255)],
        Array.from(Buffer.from('{}[]",:\\0').subarray(random.between(0, 8))),
        [...bytes.subarray(at, at + 5), ...bytes.subarray(at, at + 5)],
      ]);
      bytes = Buffer.concat([before, Buffer.from(instead), after]);
    }
    return { name: `damaged ${index}`, bytes, isJson: isJsonBytes(bytes) };
  });
}

function isJsonBytes(bytes: Buffer): boolean {
  try {
    return isJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
