import { ContradictionError, encodeOverrides, EnvironmentError } from '@matsuri/contract';
import { loadConfig } from './config';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

const ENV = {
  AWS_REGION: 'ap-northeast-1',
  PLATFORM_OVERRIDES: '{}',
  DATABASE_URL: 'postgres://writer.example:5432/matsuri',
  DATABASE_READER_URL: 'postgres://reader.example:5432/matsuri',
  DATABASE_USER: 'us:er',
  DATABASE_PASSWORD: 'p@ss/w%rd',
  REDIS_URL: '',
  REDIS_PASSWORD: '',
  ALLOWED_ORIGINS: 'https://a.example, https://b.example',
  WORKER_CONTROL_QUEUE_URL: '',
  TOKEN_PEPPERS: `1:${'a'.repeat(43)},2:${'b'.repeat(43)}`,
  ADMIN_TOKEN: 'x'.repeat(32),
};

test('the environment becomes the configuration', () => {
  const config = loadConfig(ENV, NOW_MS);
  expect(config).toMatchObject({
    port: 8090,
    healthPort: 8091,
    allowedOrigins: ['https://a.example', 'https://b.example'],
    logLevel: 'info',
  });
  expect(config.peppers.newest.version).toBe(2);
  expect(config.peppers.newest.secret).toEqual(Buffer.from('b'.repeat(43), 'base64url'));
});

test('credentials of any spelling arrive in both addresses', () => {
  const { databaseUrl, readerUrl } = loadConfig(ENV, NOW_MS);
  for (const [address, host] of [
    [databaseUrl, 'writer.example'],
    [readerUrl, 'reader.example'],
  ] as const) {
    const url = new URL(address);
    expect(url.hostname).toBe(host);
    expect(decodeURIComponent(url.username)).toBe('us:er');
    expect(decodeURIComponent(url.password)).toBe('p@ss/w%rd');
  }
});

test('every missing variable is named at once', () => {
  const { DATABASE_URL: _, TOKEN_PEPPERS: __, ...rest } = ENV;
  expect(() => loadConfig(rest, NOW_MS)).toThrow(
    /DATABASE_URL is not set[^]*TOKEN_PEPPERS is not set/,
  );
});

test('a secret that could be guessed is refused, and not printed', () => {
  const load = (): unknown => loadConfig({ ...ENV, ADMIN_TOKEN: 'admin-123' }, NOW_MS);
  expect(load).toThrow(EnvironmentError);
  expect(load).not.toThrow(/admin-123/);
});

test('a configuration that contradicts itself does not start', () => {
  const PLATFORM_OVERRIDES = encodeOverrides({ timeouts: { keepAliveMs: 1_000 } });
  expect(() => loadConfig({ ...ENV, PLATFORM_OVERRIDES }, NOW_MS)).toThrow(ContradictionError);
});
