import { listenOnLoopback } from '@matsuri/local';
import type { Listening } from '@matsuri/local';

import type { handler as Handler } from './rotate-cache-token';

type Step = 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';

/** What stands on the far side of the clients: one secret, and one cache that knows two tokens. */
class FarSide {
  versions = new Map([['v1', { value: 'first', stages: ['AWSCURRENT'], createdMs: 1_000_000 }]]);
  tokens = ['first'];
  tokenChangedMs = 500_000;
  /** Looks at the cache until it has made the change that was asked for. */
  looksUntilSettled = 0;
  nowMs = 2_000_000;
  log: string[] = [];

  secrets(operation: string, input: Record<string, string>): object | undefined {
    const version = this.versions.get(input['VersionId'] ?? input['ClientRequestToken'] ?? '');
    switch (operation) {
      case 'DescribeSecret':
        return {
          VersionIdsToStages: Object.fromEntries(
            [...this.versions].map(([id, { stages }]) => [id, stages]),
          ),
        };
      case 'GetSecretValue':
        if (!version?.stages.includes(input['VersionStage'] ?? '')) return undefined;
        return { SecretString: version.value, CreatedDate: version.createdMs / 1_000 };
      case 'PutSecretValue':
        this.versions.set(input['ClientRequestToken'] ?? '', {
          value: input['SecretString'] ?? '',
          stages: ['AWSPENDING'],
          createdMs: this.nowMs,
        });
        return {};
      default: {
        const to = this.versions.get(input['MoveToVersionId'] ?? '');
        const from = this.versions.get(input['RemoveFromVersionId'] ?? '');
        if (from !== undefined) from.stages = ['AWSPREVIOUS'];
        to?.stages.push('AWSCURRENT');
        return {};
      }
    }
  }

  cache(form: URLSearchParams): string {
    if (form.get('Action') === 'ModifyReplicationGroup') {
      const token = form.get('AuthToken') ?? '';
      this.tokens = [...this.tokens.slice(-1), token];
      this.tokenChangedMs = this.nowMs + 1_000;
      this.looksUntilSettled = 3;
      return '<ModifyReplicationGroupResponse><ModifyReplicationGroupResult/></ModifyReplicationGroupResponse>';
    }
    const settled = this.looksUntilSettled <= 0;
    this.looksUntilSettled -= 1;
    return (
      '<DescribeReplicationGroupsResponse><DescribeReplicationGroupsResult><ReplicationGroups><ReplicationGroup>' +
      `<Status>${settled ? 'available' : 'modifying'}</Status>` +
      `<AuthTokenLastModifiedDate>${new Date(this.tokenChangedMs).toISOString()}</AuthTokenLastModifiedDate>` +
      '</ReplicationGroup></ReplicationGroups></DescribeReplicationGroupsResult></DescribeReplicationGroupsResponse>'
    );
  }

  serve(): Promise<Listening> {
    return listenOnLoopback((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const target = request.headers['x-amz-target'];
        if (typeof target !== 'string') {
          const form = new URLSearchParams(body);
          this.log.push(form.get('Action') ?? '');
          response.end(this.cache(form));
          return;
        }
        const operation = target.split('.')[1] ?? '';
        this.log.push(operation);
        const output = this.secrets(operation, JSON.parse(body) as Record<string, string>);
        response.statusCode = output === undefined ? 400 : 200;
        response.end(JSON.stringify(output ?? { __type: 'ResourceNotFoundException' }));
      });
    });
  }

  times(operation: string): number {
    return this.log.filter((each) => each === operation).length;
  }

  stagesOf(version: string): readonly string[] | undefined {
    return this.versions.get(version)?.stages;
  }
}

const ENOUGH_TIME = { getRemainingTimeInMillis: () => 600_000 };
const NO_TIME = { getRemainingTimeInMillis: () => 1_000 };
const STEPS: readonly Step[] = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'];
const before = { ...process.env };

let far: FarSide;
let server: Listening;
let handler: typeof Handler;

beforeEach(async () => {
  far = new FarSide();
  server = await far.serve();
  Object.assign(process.env, {
    AWS_REGION: 'ap-northeast-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL: server.url,
    REPLICATION_GROUP_ID: 'cache',
    POLL_MS: '5',
  });
  jest.resetModules();
  ({ handler } = await import('./rotate-cache-token'));
});

afterEach(async () => {
  await server.close();
  process.env = { ...before };
});

const step = (Step: Step, invocation = ENOUGH_TIME): Promise<void> =>
  handler({ Step, SecretId: 'token', ClientRequestToken: 'v2' }, invocation);

test('after the four steps the cache takes the old token and the new, and the new is current', async () => {
  for (const each of STEPS) await step(each);
  const made = far.versions.get('v2')?.value;
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(far.tokens).toEqual(['first', made]);
  expect(far.stagesOf('v2')).toContain('AWSCURRENT');
  expect(far.stagesOf('v1')).toEqual(['AWSPREVIOUS']);
});

test.each(STEPS)('a rotation begun anew after %s ends as if it had run once', async (last) => {
  for (const each of STEPS.slice(0, STEPS.indexOf(last) + 1)) await step(each);
  const made = far.versions.get('v2')?.value;
  for (const each of STEPS) await step(each);
  expect(far.versions.get('v2')?.value).toBe(made);
  expect(far.tokens).toEqual(['first', made]);
  expect(far.times('ModifyReplicationGroup')).toBe(1);
  expect(far.times('UpdateSecretVersionStage')).toBe(1);
});

test('the change of token is waited for before the token is called good', async () => {
  await step('createSecret');
  await step('setSecret');
  await step('testSecret');
  expect(far.looksUntilSettled).toBeLessThan(0);
});

test.each(['setSecret', 'testSecret'] as const)(
  '%s says that the cache is busy before Lambda cuts it off',
  async (busy) => {
    await step('createSecret');
    far.looksUntilSettled = 1_000;
    await expect(step(busy, NO_TIME)).rejects.toThrow('The cache is modifying, try later');
    expect(far.tokens).toEqual(['first']);
  },
);

test('no token is given where none was made', async () => {
  await expect(step('setSecret')).rejects.toThrow('no pending token');
  expect(far.times('ModifyReplicationGroup')).toBe(0);
});

test('the check of a new schedule, which makes no token, passes', async () => {
  await step('testSecret');
  expect(far.tokens).toEqual(['first']);
});

test('no token is ever written to the log', async () => {
  const lines: unknown[] = [];
  const written = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation((...line) => void lines.push(...line)),
  );
  for (const each of STEPS) await step(each);
  far.looksUntilSettled = 1_000;
  await handler({ Step: 'createSecret', SecretId: 'token', ClientRequestToken: 'v3' }, NO_TIME);
  const failed = handler(
    { Step: 'setSecret', SecretId: 'token', ClientRequestToken: 'v3' },
    NO_TIME,
  );
  const error: unknown = await failed.catch((reason: unknown) => reason);
  const text = JSON.stringify([lines, String(error), error]);
  for (const { value } of far.versions.values()) expect(text).not.toContain(value);
  for (const spy of written) spy.mockRestore();
});
