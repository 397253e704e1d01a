/** The kinds of tests, one configuration; `jest --selectProjects unit` runs one kind. */

// These ship as ES modules only; jest's CommonJS runtime needs them translated.
const ES_MODULES_ONLY = ['cockatiel', 'commander'];

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.m?[tj]s$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, sourceMaps: 'inline' },
    ],
  },
  transformIgnorePatterns: [
    `/node_modules/(?!\\.pnpm/|${ES_MODULES_ONLY.join('|')})`,
    `/node_modules/\\.pnpm/(?!(${ES_MODULES_ONLY.map((name) => name.replace('/', '\\+')).join('|')})[@+])`,
  ],
  modulePathIgnorePatterns: ['/\\.tsbuild/', '/cdk\\.out/'],
};

module.exports = {
  reporters: [
    'default',
    '<rootDir>/test/setup/slowest-suites-reporter.cjs',
    '<rootDir>/test/setup/short-end-reporter.cjs',
  ],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{lib,services,test/bench,test/chaos}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.integration\\.test\\.ts$'],
    },
    { ...shared, displayName: 'synth', testMatch: ['<rootDir>/test/synth/**/*.test.ts'] },
    {
      ...shared,
      // These run compilers over whole trees.
      displayName: 'architecture',
      testMatch: ['<rootDir>/test/architecture/*.test.ts', '<rootDir>/bin/**/*.test.ts'],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{services,test/bench}/**/*.integration.test.ts'],
      globalSetup: '<rootDir>/test/setup/start-engines.ts',
      globalTeardown: '<rootDir>/test/setup/stop-engines.ts',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/test/setup/build-and-start-engines.ts',
      globalTeardown: '<rootDir>/test/setup/stop-engines.ts',
    },
  ],
};
