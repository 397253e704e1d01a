// Architecture as lint: who may import whom, and what a pure core may not touch.
import boundaries from 'eslint-plugin-boundaries';
import cdk from 'eslint-cdk-plugin';
import tseslint from 'typescript-eslint';

const element = (...type) => ({ element: { type } });
const sameService = (...type) => ({
  element: { type, captured: { service: '{{ from.element.captured.service }}' } },
});
const ofService = (service, ...type) => ({ element: { type, captured: { service } } });
const external = (...source) => ({ module: { origin: 'external', source } });

/** Libraries every service may use; they know nothing of any service. */
const FOUNDATION = '{catalogue,resilience,telemetry,database}';

const CODE_OF_SERVICES = ['core', 'adapter', 'shell'];

const boundaryElements = [
  { type: 'app', pattern: 'bin' },
  { type: 'infra', pattern: 'lib' },
  { type: 'contract', pattern: 'services/contract' },
  { type: 'local', pattern: 'services/local' },
  {
    type: 'core',
    pattern: ['services/*/src/core', 'services/*/src/*/core', 'services/*/src/*/*/core'],
    capture: ['service'],
  },
  {
    type: 'adapter',
    pattern: [
      'services/*/src/adapters',
      'services/*/src/*/adapters',
      'services/*/src/*/*/adapters',
    ],
    capture: ['service'],
  },
  { type: 'foundation', pattern: `services/${FOUNDATION}/src`, capture: ['service'] },
  { type: 'shell', pattern: 'services/*/src', capture: ['service'] },
];

const boundaryPolicies = [
  { from: element('app'), allow: { to: element('app', 'infra', 'contract') } },
  { from: element('infra'), allow: { to: element('infra', 'contract') } },
  { from: element('contract'), allow: { to: element('contract') } },
  { from: element(...CODE_OF_SERVICES, 'foundation', 'local'), allow: { to: element('contract') } },

  { from: element('core'), allow: { to: sameService('core') } },
  { from: element('core'), allow: { to: ofService('resilience', 'core') } },
  {
    from: element('adapter', 'shell', 'foundation'),
    allow: { to: sameService(...CODE_OF_SERVICES, 'foundation') },
  },
  { from: element('adapter', 'shell'), allow: { to: element('foundation') } },
  { from: element('adapter', 'shell'), allow: { to: ofService(FOUNDATION, 'core', 'adapter') } },
  { from: element('local'), allow: { to: element('local') } },
  {
    from: element('local'),
    allow: { to: ofService('{catalogue,telemetry}', 'foundation', 'core') },
  },

  // The simulator replays the very decisions that are deployed.
  {
    from: { element: { type: ['core', 'shell'], captured: { service: 'simulator' } } },
    allow: { to: ofService('autoscaler', 'core') },
  },
  { from: element('app'), allow: { to: ofService('simulator', 'shell') } },
  // Commands print tables.
  { from: element('app'), allow: { to: ofService('telemetry', 'foundation', 'core') } },

  {
    from: element('app', 'infra', 'local', 'foundation', 'adapter', 'shell'),
    allow: { to: { module: { origin: ['external', 'core'] } } },
  },
  { from: element('contract', 'core'), allow: { to: external('zod') } },
];

const NO_AMBIENT_WORLD =
  'A core is a plain function of (state, input, now): pass it in from the shell.';

const ambient = {
  globals: [
    'process',
    'fetch',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'performance',
    'console',
  ],
  properties: [
    ['Date', 'now'],
    ['Math', 'random'],
    ['crypto', 'randomUUID'],
    ['crypto', 'getRandomValues'],
  ],
};

export default tseslint.config(
  {
    ignores: ['**/node_modules/', '**/.tsbuild/', '**/dist/', 'cdk.out/', '.reports/', '**/*.cjs'],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,mts}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: true },
      'boundaries/elements': boundaryElements,
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        { default: 'disallow', checkAllOrigins: true, policies: boundaryPolicies },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment once, in main.ts or handler.ts, through its schema.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
      ],
    },
  },
  {
    files: [
      'bin/**',
      '**/main.ts',
      '**/handler.ts',
      'lib/functions/**',
      '**/*.test.ts',
      '**/test/**',
      'services/local/**',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Tests look into every room.
    files: ['**/*.test.ts', '**/test/**'],
    rules: { 'boundaries/dependencies': 'off' },
  },
  {
    // jest asks its set-up modules for a default export, and Vite its configuration.
    files: ['test/setup/*.ts', '**/vite.config.mts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: [
      'services/*/src/core/**/*.ts',
      'services/*/src/*/core/**/*.ts',
      'services/*/src/*/*/core/**/*.ts',
      'services/contract/src/**/*.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...ambient.globals.map((name) => ({ name, message: NO_AMBIENT_WORLD })),
      ],
      'no-restricted-properties': [
        'error',
        ...ambient.properties.map(([object, property]) => ({
          object,
          property,
          message: NO_AMBIENT_WORLD,
        })),
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: NO_AMBIENT_WORLD,
        },
      ],
    },
  },
  {
    files: ['lib/**/*.ts', 'bin/**/*.ts'],
    extends: [cdk.configs.recommended],
    rules: {
      'cdk/no-variable-construct-id': 'off',
      // Constructs here take props apart, keep them, hand them to their own methods, and pass concrete ones on.
      'cdk/construct-constructor-property': 'off',
      'cdk/no-unused-props': 'off',
      'cdk/no-construct-in-interface': 'off',
      'cdk/no-construct-in-public-property-of-construct': 'off',
      'cdk/require-passing-this': 'off',
    },
  },
);
