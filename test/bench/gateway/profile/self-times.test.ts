import { moduleLines, packageOf } from './module-lines';
import { byOwner, selfTimes } from './self-times';
import type { CpuProfile } from './self-times';

const BUNDLE = `"use strict";
// node_modules/.pnpm/pg@8.20.0/node_modules/pg/lib/query.js
function submit() {}
// services/orchestrator/src/main.ts
function handle() {}
`;
const moduleOf = moduleLines(BUNDLE);

const at = (functionName: string, url = '', lineNumber = -1) => ({
  functionName,
  url,
  lineNumber,
});

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: at('(root)'), children: [2, 5, 6] },
    { id: 2, callFrame: at('handle', 'file:///bundle.cjs', 4), children: [3] },
    { id: 3, callFrame: at('submit', 'file:///bundle.cjs', 2), children: [4] },
    { id: 4, callFrame: at('writev'), children: [] },
    { id: 5, callFrame: at('(idle)') },
    { id: 6, callFrame: at('(garbage collector)') },
  ],
  samples: [2, 3, 4, 4, 5, 6],
  timeDeltas: [10, 20, 30, 40, 1_000, 5],
};

test('a line of a bundle belongs to the module named above it', () => {
  expect(moduleOf(2)).toBe('node_modules/.pnpm/pg@8.20.0/node_modules/pg/lib/query.js');
  expect(moduleOf(4)).toBe('services/orchestrator/src/main.ts');
});

test.each([
  ['node_modules/.pnpm/pg@8.20.0/node_modules/pg/lib/query.js', 'pg'],
  [
    'node_modules/.pnpm/@hono+node-server@2.1.0/node_modules/@hono/node-server/dist/index.mjs',
    '@hono/node-server',
  ],
  ['services/orchestrator/src/main.ts', '@matsuri/orchestrator'],
])('%s is part of %s', (module, name) => {
  expect(packageOf(module)).toBe(name);
});

test('native time is charged to the nearest caller in the bundle; waiting is left out', () => {
  const times = selfTimes(profile, moduleOf);
  expect(times.map(({ function: name, owner, micros }) => [name, owner, micros])).toEqual([
    ['writev', 'pg', 70],
    ['submit', 'pg', 20],
    ['handle', '@matsuri/orchestrator', 10],
    ['(garbage collector)', '(runtime)', 5],
  ]);
});

test('an owner has its own code and what Node does for it', () => {
  expect(byOwner(selfTimes(profile, moduleOf))[0]).toEqual({
    owner: 'pg',
    ownMicros: 20,
    micros: 90,
  });
});
