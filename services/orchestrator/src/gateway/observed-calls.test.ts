import type { PlatformOverrides } from '@matsuri/contract';
import type { Behaviour } from './testing/fake-models';
import { aCall, setGatewayStage } from './testing/gateway-stage';

/** A gateway that is listened to. */
function setUp(overrides: PlatformOverrides = {}) {
  const waited: number[] = [];
  const fellBack = jest.fn();
  const waits = (latencyMs: number) => void waited.push(Math.round(latencyMs / 1_000));
  const stage = setGatewayStage(overrides, [], { waited: waits, fellBack });
  const behave = (behaviour: Behaviour, times: number) =>
    stage.models.behaviours.push(...Array.from({ length: times }, () => behaviour));
  return { ...stage, waited, fellBack, behave };
}

describe('latency', () => {
  test('who waited for an answer that never came waited longest', async () => {
    const { gateway, clock, waited, behave } = setUp();
    behave('never-speaks', 9);
    const opening = gateway.open(aCall());
    await clock.advance(61_000);
    expect((await opening).kind).toBe('refused');
    expect(waited).toEqual([60]);
  });

  test('so did who gave up, and who came after them', async () => {
    const { gateway, clock, waited, behave } = setUp({ gateway: { slotsPerTask: 1 } });
    behave('never-speaks', 9);
    const leaving = new AbortController();
    const first = gateway.open(aCall({ signal: leaving.signal }));
    first.catch(() => undefined);
    const second = gateway.open(aCall());
    await clock.advance(10_000);
    leaving.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    expect(waited).toEqual([10]);
    await clock.advance(61_000);
    expect((await second).kind).toBe('refused');
    expect(waited).toEqual([10, 60]);
  });

  test('who is turned away at the door waited for nothing', async () => {
    const { gateway, clock, waited } = setUp({ gateway: { slotsPerTask: 1, inFlightPerTask: 1 } });
    const first = gateway.open(aCall());
    expect((await gateway.open(aCall())).kind).toBe('refused');
    const unknown = { ...aCall().request, model: 'nobody' };
    expect((await gateway.open(aCall({ request: unknown }))).kind).toBe('refused');
    await clock.advance(150);
    await first;
    expect(waited).toEqual([0]);
  });
});

describe('an open breaker', () => {
  const SONNET = 'jp.anthropic.claude-sonnet-5';
  const OLDER_SONNET = 'jp.anthropic.claude-sonnet-4-6';
  const [tokyo, osaka] = ['ap-northeast-1', 'ap-northeast-3'];

  type Targets = readonly (readonly [profile: string, region: string])[];

  /** The first of these targets have failed, and are not asked any more. */
  async function afterFailures(failures: number, targets: Targets) {
    const complex = targets.map(([profile, region]) => ({ profile, region }));
    const models = { aliases: { complex } };
    const stage = setUp({ models, breaker: { minimumCalls: 1 } });
    const ask = async () => {
      const request = { ...aCall().request, model: 'complex' };
      const asking = stage.gateway.complete(aCall({ request }));
      await stage.clock.advance(100);
      return (await asking).kind;
    };
    stage.behave('unavailable', failures);
    await ask();
    expect(stage.fellBack).not.toHaveBeenCalled();
    return { ...stage, ask };
  }

  test('is no loss where the same model answers elsewhere', async () => {
    const { ask, fellBack } = await afterFailures(1, [
      [SONNET, tokyo],
      [SONNET, osaka],
    ]);
    expect(await ask()).toBe('answered');
    expect(fellBack).not.toHaveBeenCalled();
  });

  test('counts once where another model has to answer', async () => {
    const { ask, fellBack } = await afterFailures(1, [
      [SONNET, tokyo],
      [OLDER_SONNET, tokyo],
    ]);
    expect(await ask()).toBe('answered');
    expect(fellBack).toHaveBeenCalledTimes(1);
  });

  test('counts once where nobody answers, be it the only one or the last', async () => {
    const alone = await afterFailures(1, [[SONNET, tokyo]]);
    expect(await alone.ask()).toBe('refused');
    expect(alone.fellBack).toHaveBeenCalledTimes(1);

    const both = await afterFailures(2, [
      [SONNET, tokyo],
      [SONNET, osaka],
    ]);
    expect(await both.ask()).toBe('refused');
    expect(both.fellBack).toHaveBeenCalledTimes(1);
  });
});
