/** The rules of the house, each shown to bite: a rule that cannot fail protects nothing. */
import { plantedCopy } from './planted-copy';
import type { PlantedCopy } from './planted-copy';

const IN_CORE = 'services/resilience/src/core/planted';

/** File to plant → its code and the rule that must refuse it. */
const REFUSED: Record<
  string,
  { readonly because: string; readonly code: string; readonly rule: string }
> = {
  [`${IN_CORE}-client.ts`]: {
    because: 'a core imports a client',
    code: "import { Redis } from 'ioredis';\n\nexport const client = Redis;\n",
    rule: 'boundaries/dependencies',
  },
  [`${IN_CORE}-node.ts`]: {
    because: 'a core imports a module of Node',
    code: "import { hostname } from 'node:os';\n\nexport const name = hostname;\n",
    rule: 'boundaries/dependencies',
  },
  [`${IN_CORE}-adapter.ts`]: {
    because: 'a core imports an adapter',
    code: "import { adapter } from '../adapters/planted';\n\nexport const through = adapter;\n",
    rule: 'boundaries/dependencies',
  },
  [`${IN_CORE}-clock.ts`]: {
    because: 'a core reads the clock',
    code: 'export const at = (): number => Date.now();\n',
    rule: 'no-restricted-properties',
  },
  [`${IN_CORE}-date.ts`]: {
    because: 'a core makes a date of now',
    code: 'export const at = (): Date => new Date();\n',
    rule: 'no-restricted-syntax',
  },
  [`${IN_CORE}-random.ts`]: {
    because: 'a core draws at random',
    code: 'export const drawn = (): number => Math.random();\n',
    rule: 'no-restricted-properties',
  },
  [`${IN_CORE}-process.ts`]: {
    because: 'a core reads the process',
    code: 'export const id = (): number => process.pid;\n',
    rule: 'no-restricted-globals',
  },
  'services/planted-left/src/index.ts': {
    because: 'a service imports another service',
    code: "import { right } from '../../planted-right/src/index';\n\nexport const left = right;\n",
    rule: 'boundaries/dependencies',
  },
  'services/resilience/src/planted-local.ts': {
    because: 'a library imports the local platform',
    code: "import { listenOnLoopback } from '@matsuri/local';\n\nexport const listen = listenOnLoopback;\n",
    rule: 'boundaries/dependencies',
  },
  'services/local/src/planted.ts': {
    because: 'the local platform imports a service',
    code: "import { right } from '../../planted-right/src/index';\n\nexport const left = right;\n",
    rule: 'boundaries/dependencies',
  },
  'services/contract/src/planted.ts': {
    because: 'the contract imports a service',
    code: "import { right } from '../../planted-right/src/index';\n\nexport const left = right;\n",
    rule: 'boundaries/dependencies',
  },
  'lib/planted.ts': {
    because: 'infrastructure imports a program',
    code: "import { right } from '../services/planted-right/src/index';\n\nexport const left = right;\n",
    rule: 'boundaries/dependencies',
  },
  'services/planted-right/src/environment.ts': {
    because: 'a service reads the environment outside its main',
    code: "export const home = (): unknown => process.env['HOME'];\n",
    rule: 'no-restricted-properties',
  },
};

const ALLOWED = {
  [`${IN_CORE}-pure.ts`]:
    "import { METRICS } from '@matsuri/contract';\n\nexport const named = METRICS.tokensPerSecond.name;\n",
  'services/planted-right/src/index.ts': 'export const right = 1;\n',
  'services/resilience/src/adapters/planted.ts':
    "import { Redis } from 'ioredis';\n\nexport const adapter = Redis;\n",
};

const SERVICE_TSCONFIG = '{ "extends": "../tsconfig.service.json", "include": ["src"] }\n';

let copy: PlantedCopy;
const brokenRules = new Map<string, string[]>();

beforeAll(() => {
  const refused = Object.entries(REFUSED).map(([file, { code }]) => [file, code] as const);
  copy = plantedCopy({
    'services/planted-left/tsconfig.json': SERVICE_TSCONFIG,
    'services/planted-right/tsconfig.json': SERVICE_TSCONFIG,
    ...Object.fromEntries(refused),
    ...ALLOWED,
  });
  const planted = [...Object.keys(REFUSED), ...Object.keys(ALLOWED)];
  const { output } = copy.run('eslint', '--format', 'json', ...planted);
  const results = JSON.parse(output) as {
    filePath: string;
    messages: { ruleId: string | null; message: string }[];
  }[];
  for (const file of planted) {
    const found = results.find(({ filePath }) => filePath.endsWith(`/${file}`));
    brokenRules.set(
      file,
      found?.messages.map(({ ruleId, message }) => ruleId ?? message) ?? ['not linted'],
    );
  }
}, 120_000);

afterAll(() => copy.remove());

test.each(Object.entries(REFUSED).map(([file, { because, rule }]) => [because, file, rule]))(
  'the linter refuses when %s',
  (_, file, rule) => {
    expect(brokenRules.get(file)).toEqual([rule]);
  },
);

test.each(Object.keys(ALLOWED))('the linter lets %s pass', (file) => {
  expect(brokenRules.get(file)).toEqual([]);
});
