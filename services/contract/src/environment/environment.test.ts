import fc from 'fast-check';
import { z } from 'zod';
import { encodeOverrides } from '../configuration/configure';
import { orchestratorEnvironment, orchestratorSecrets } from './chat-programs';
import { EnvironmentError, loadEnvironment } from './load-environment';
import type { Provides } from './provides';

const VARIABLES = {
  PLATFORM_OVERRIDES: encodeOverrides({ environment: 'dev', gateway: { slotsPerTask: 60 } }),
  AWS_REGION: 'ap-northeast-1',
  DATABASE_URL: 'postgres://db.internal:5432/matsuri',
  REDIS_URL: 'rediss://cache.internal:6379',
  SESSIONS_TABLE: 'sessions',
  CATALOGUE_TABLE: 'catalogue',
  OPENSEARCH_URL: 'https://search.internal',
  OPENSEARCH_INDEX: 'titles',
  INTENT_ENDPOINT: '',
  TARGET_GROUP_ARN: 'arn:aws:elasticloadbalancing:target-group',
  ALLOWED_ORIGINS: 'https://a.example, https://b.example',
} satisfies Provides<typeof orchestratorEnvironment, string>;

const PEPPER = 'x'.repeat(43);

const SECRETS = {
  DATABASE_USER: 'app',
  DATABASE_PASSWORD: 'hunter2',
  REDIS_PASSWORD: '',
  TOKEN_PEPPERS: `1:${PEPPER},2:${PEPPER}`,
} satisfies Provides<typeof orchestratorSecrets, string>;

const wholeSchema = orchestratorEnvironment.extend(orchestratorSecrets.shape);

function problemsOf(env: Record<string, string | undefined>): readonly string[] {
  try {
    loadEnvironment(wholeSchema, env);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

describe('what a stack provides', () => {
  const schema = z.object({
    QUEUE_URL: z.url(),
    TABLE: z.string(),
    LEVEL: z.string().default('x'),
  });
  type Wanted = Provides<typeof schema, string>;

  test('compiles when it is complete, defaults may be left out', () => {
    const complete = { QUEUE_URL: 'https://q', TABLE: 't' } satisfies Wanted;
    expect(schema.safeParse(complete).success).toBe(true);
  });

  test('does not compile when a variable is missing', () => {
    // @ts-expect-error TABLE is missing
    const missing = { QUEUE_URL: 'https://q' } satisfies Wanted;
    expect(missing).toBeDefined();
  });

  test('does not compile when a variable is misspelt or no longer read', () => {
    // @ts-expect-error STALE is not read by the program
    const stale = { QUEUE_URL: 'https://q', TABLE: 't', STALE: 'x' } satisfies Wanted;
    expect(stale).toBeDefined();
  });

  test('does not compile when a value is of another kind', () => {
    // @ts-expect-error a secret is not a string
    const wrong = { QUEUE_URL: 'https://q', TABLE: { arn: 'x' } } satisfies Wanted;
    expect(wrong).toBeDefined();
  });
});

describe('what a program reads', () => {
  test('is parsed once, with defaults and the whole configuration', () => {
    const env = loadEnvironment(wholeSchema, { ...VARIABLES, ...SECRETS, HOME: '/root' });
    expect(env.PORT).toBe(8080);
    expect(env.LOG_LEVEL).toBe('info');
    expect(env.ALLOWED_ORIGINS).toEqual(['https://a.example', 'https://b.example']);
    expect(env.PLATFORM_OVERRIDES.gateway).toMatchObject({
      slotsPerTask: 60,
      inFlightPerTask: 300,
    });
    expect(env.TOKEN_PEPPERS.map((pepper) => pepper.version)).toEqual([1, 2]);
    expect(env).not.toHaveProperty('HOME');
  });

  test('may say that there is no Redis, but not forget to say so', () => {
    const { REDIS_URL, ...forgotten } = { ...VARIABLES, ...SECRETS };
    expect(REDIS_URL).toBeDefined();
    expect(problemsOf({ ...forgotten, REDIS_URL: '' })).toEqual([]);
    expect(problemsOf(forgotten)).toEqual(['REDIS_URL is not set']);
  });

  test('every problem is named at once', () => {
    const problems = problemsOf({
      ...VARIABLES,
      ...SECRETS,
      SESSIONS_TABLE: undefined,
      DATABASE_URL: 'not a url',
      PORT: '99999',
      PLATFORM_OVERRIDES: '{"gateway":{"slotsPerTask":0},"pools":{"spare":1}}',
      TOKEN_PEPPERS: 'short',
    });
    expect(problems).toEqual([
      expect.stringMatching(/^DATABASE_URL: /),
      expect.stringMatching(/^PLATFORM_OVERRIDES: gateway\.slotsPerTask: /),
      expect.stringMatching(/^PLATFORM_OVERRIDES: pools: .*"spare"/),
      expect.stringMatching(/^PORT: /),
      'SESSIONS_TABLE is not set',
      expect.stringMatching(/^TOKEN_PEPPERS: must be version:secret pairs/),
    ]);
  });

  test('an endpoint of AWS may be elsewhere, if it is an address', () => {
    const env = { ...VARIABLES, ...SECRETS };
    expect(problemsOf({ ...env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' })).toEqual([]);
    expect(problemsOf({ ...env, AWS_ENDPOINT_URL_DYNAMODB: 'here' })).toHaveLength(1);
  });

  test('no value is ever printed', () => {
    const secret = fc.string({
      minLength: 12,
      maxLength: 40,
      unit: fc.constantFrom('q', 'z', '7'),
    });
    const name = fc.constantFrom(...Object.keys({ ...VARIABLES, ...SECRETS }));
    fc.assert(
      fc.property(name, secret, (variable, value) => {
        const problems = problemsOf({ ...VARIABLES, ...SECRETS, [variable]: value });
        expect(problems.join('\n')).not.toContain(value);
      }),
    );
  });
});
