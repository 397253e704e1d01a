import { startProgramProcess, type ProgramProcess } from './program-process';
import { chatBody, openRaw, postRaw, readUntil } from './raw-client';
import { setStage, type Stage } from './stage';

let stage: Stage;
let program: ProgramProcess;
let key = '';

beforeAll(async () => {
  stage = await setStage();
  program = await startProgramProcess(stage.environment());
  ({ key } = await stage.newToken());
}, 60_000);

afterAll(async () => {
  await program.stop();
  await stage.close();
});

const SPAN = '00f067aa0ba902b7';
const traceOf = (digit: string): string => `4bf92f3577b34da6a3ce929d0e0e473${digit}`;
const parent = (digit: string) => ({ traceparent: `00-${traceOf(digit)}-${SPAN}-01` });

const line = (message: string, requestId: string) =>
  program.said((said) => said['msg'] === message && said['request_id'] === requestId);

test('the lines of a request carry the trace of its caller, whatever runs beside it', async () => {
  stage.bedrock.script({ script: { name: 'internal-error' }, times: 3 });
  await Promise.all(
    ['1', '2', '3'].map((digit) =>
      postRaw(program.url, key, JSON.stringify(chatBody()), {
        ...parent(digit),
        'x-request-id': `beside-${digit}`,
      }),
    ),
  );
  for (const digit of ['1', '2', '3']) {
    const said = await line('failover', `beside-${digit}`);
    expect(said['trace_id']).toBe(traceOf(digit));
    expect(said['span_id']).toMatch(/^(?!00f067aa0ba902b7)[0-9a-f]{16}$/);
  }
});

test.each([
  ['no trace', {}],
  ['a trace that is none', { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` }],
  ['a trace with an end of its own', { traceparent: `${parent('1').traceparent}-"}{` }],
])('a client with %s begins one, and keeps it to the end', async (name, headers) => {
  stage.bedrock.pace({ firstTokenMs: 0, tokensPerSecond: 20 });
  stage.bedrock.script({ script: { tokens: 200 } });
  const id = `left-${name.replaceAll(' ', '-')}`;
  const body = JSON.stringify(chatBody({ stream: true }));
  const { request, response } = await openRaw(program.url, key, body, {
    'x-request-id': id,
    ...headers,
  });
  await readUntil(response, (text) => text.includes('"content":"'));
  response.on('error', () => undefined);
  request.destroy();
  const said = await line('client left', id);
  expect(said).toMatchObject({ client_disconnected: true });
  expect(said['trace_id']).toMatch(/^[0-9a-f]{32}$/);
  expect([traceOf('1'), '0'.repeat(32)]).not.toContain(said['trace_id']);
});
