import { aCall, setGatewayStage } from '../../gateway/testing/gateway-stage';
import type { GatewayCall, Outcome, WholeAnswer } from '../../gateway/gateway';
import { isDownstreamFault } from './adapters/downstream-fault';
import { createModelIntent } from './model-intent';

const { caller } = aCall();
const NEVER = new AbortController().signal;

function replying(text: string) {
  const asked: GatewayCall[] = [];
  const complete = (call: GatewayCall): Promise<Outcome<WholeAnswer>> => {
    asked.push(call);
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const target = { profile: 'p', region: 'r' };
    const limits = {};
    const answer = { blocks: [{ type: 'text', text } as const], stopReason: 'end', usage } as const;
    return Promise.resolve({
      kind: 'answered',
      answer: { servedBy: { target, name: 'p@r' }, limits, answer },
    });
  };
  return { asked, complete };
}

test('the small model names the label, on behalf of who asked', async () => {
  const gateway = replying('order_status');
  const intent = await createModelIntent(gateway)('荷物はどこ', NEVER, caller);
  expect(intent).toBe('order_status');
  expect(gateway.asked[0]).toMatchObject({ caller, request: { model: 'simple', temperature: 0 } });
});

test('no label is no intent, and is not held against the model', async () => {
  const failed = createModelIntent(replying('はい、喜んで'))('荷物はどこ', NEVER, caller);
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(isDownstreamFault(error)).toBe(false);
});

test('a model that is not to be had gives no intent', async () => {
  const { gateway, models, clock } = setGatewayStage();
  models.behaviours.push('rejects');
  const failed = createModelIntent(gateway)('荷物はどこ', NEVER, caller).catch(String);
  await clock.advance(1_000);
  expect(await failed).toContain('upstream-rejected');
});
