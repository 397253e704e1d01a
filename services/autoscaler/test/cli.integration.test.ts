/** The operator's command line, in a world with and without an autoscaler. */
import { runCommandLine, type Terminal } from '../src/cli/program';
import { startWorld, type CapacityWorld } from './world/world';

const NOW = Date.parse('2026-06-09T10:00:00+09:00');

let world: CapacityWorld;
const saved = { ...process.env };

beforeAll(async () => {
  world = await startWorld({
    timeScale: 1,
    startAt: '2026-06-09T10:00:00+09:00',
    overrides: { environment: 'test' },
    tasks: 0,
  });
  Object.assign(process.env, world.environment);
});

afterAll(async () => {
  await world.close();
  process.env = { ...saved };
});

async function run(words: string, env: Terminal['env'] = world.environment) {
  let out = '';
  let err = '';
  const code = await runCommandLine(words.split(' '), {
    env,
    out: (text) => (out += text),
    err: (text) => (err += text),
    nowMs: () => NOW,
    user: () => 'operator',
  });
  return { code, out, err };
}

test('plan --at says what the calendar asks for, without asking AWS', async () => {
  const { code, out } = await run('plan --at 2026-11-27T00:00+09:00', {});
  expect(code).toBe(0);
  expect(out).toContain('Fri 2026-11-27 00:00 Asia/Tokyo: a floor of');
  expect(out).toContain('black_friday');
});

test('plan --at --json is for programs', async () => {
  const { out } = await run('--json plan --at 2026-06-09T18:00+09:00', {});
  expect(JSON.parse(out)).toMatchObject({ tasks: 30, units: { complex: 0, simple: 0 } });
});

test('a moment without an offset is refused, with the way to write it', async () => {
  const { code, err } = await run('plan --at 2026-11-27T00:00', {});
  expect(code).toBe(2);
  expect(err).toContain('2026-11-27T00:00+09:00');
});

test('explain says what is in force, who decides, and why', async () => {
  const { code, out } = await run('explain');
  expect(code).toBe(0);
  expect(out).toContain('The floor in force is 0 of at most 100; 0 tasks desired, 0 running');
  expect(out).toContain('no autoscaler holds the lease');
  expect(out).toContain("> schedule    10  schedule 'morning-ramp' keeps 10 tasks");
  expect(out).toContain('nothing shrinks: no fresh calls in flight');
});

test('explain goes on without a source that does not answer, and says so', async () => {
  world.scaling.faults.inject('DescribeScalableTargets', { kind: 'error', code: 'Oops' }, 2);
  const { code, out } = await run('--json explain');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ unanswered: ['scalable target'] });
  world.scaling.faults.clear();
});

test('freeze, explain, unfreeze', async () => {
  expect(await run('freeze in --reason drill')).toMatchObject({
    code: 0,
    out: 'Set now: freezeScaleIn.\n',
  });
  const { out } = await run('explain');
  expect(out).toContain('scaling in is frozen since 2026-06-09T01:00:00.000Z by operator: drill');
  expect(await run('provisioned off')).toMatchObject({
    out: 'Set now: freezeScaleIn, provisionedOff.\n',
  });
  expect(await run('unfreeze')).toMatchObject({ out: 'Set now: provisionedOff.\n' });
  expect(await run('provisioned on')).toMatchObject({ out: 'Set now: no switch.\n' });
});

test.each([
  ['freeze sideways --reason x', /Allowed choices are in, out/],
  ['freeze in', /required option '--reason <text>'/],
  ['dance', /unknown command 'dance'/],
])('misuse is explained: %s', async (words, complaint) => {
  const { code, err } = await run(words);
  expect(code).toBe(2);
  expect(err).toMatch(complaint);
});

test('what is not said is asked for by name', async () => {
  const { code, err } = await run('explain', {});
  expect(code).toBe(2);
  expect(err).toContain('Give --table, or set AUTOSCALER_TABLE');
});

test('--help shows everything', async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  for (const word of ['explain', 'plan', 'freeze', 'unfreeze', 'provisioned', 'Exit codes']) {
    expect(out).toContain(word);
  }
});
