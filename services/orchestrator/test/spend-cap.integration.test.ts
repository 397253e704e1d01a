import { eventually } from './eventually';
import { startProgramProcess, type ProgramProcess } from './program-process';
import { chatBody, postRaw } from './raw-client';
import { setStage, type Stage } from './stage';
import { WIDE_QUOTAS } from './wide-quotas';

let stage: Stage;
let program: ProgramProcess;

beforeAll(async () => {
  stage = await setStage();
  const overrides = { quotas: WIDE_QUOTAS, gateway: { burstRequests: 1_000 } };
  program = await startProgramProcess(stage.environment({ overrides }));
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

test('200 calls at once spend one dollar and not a reservation more', async () => {
  const capMicroUsd = 1_000_000;
  const { id, key } = await stage.newToken({ dayCapMicroUsd: capMicroUsd });
  stage.bedrock.script({ script: { tokens: 3_000 }, times: 200 });
  const heavy = JSON.stringify(chatBody({ max_tokens: 4_000 }));
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => postRaw(program.url, key, heavy)),
  );
  const statuses = replies.map(({ status }) => status);
  expect([...new Set(statuses)].sort()).toEqual([200, 429]);
  expect(replies.find(({ status }) => status === 429)?.body).toContain('insufficient_quota');

  const spent = await eventually(async () => {
    const seen = await stage.tokens.spend('tenant-1', id);
    return seen?.day.reservedMicroUsd === 0 ? seen.day.spentMicroUsd : undefined;
  });
  const [row] = await stage.pool.query<{ largest: number; calls: number }>({
    text: `SELECT max(reserved_micro_usd)::int AS largest, count(*)::int AS calls
             FROM usage_attempts WHERE token_id = $1`,
    values: [id],
  });
  expect(spent).toBeLessThanOrEqual(capMicroUsd + (row?.largest ?? 0));
  expect(spent).toBeGreaterThan(capMicroUsd / 2);
  expect(stage.bedrock.ledger()).toHaveLength(row?.calls ?? 0);
}, 60_000);
