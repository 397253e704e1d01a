import { AnswerLostError } from '../ports';
import {
  degradationOf,
  endingsOf,
  partsOf,
  setAnsweringStage,
  textOf,
  type AnsweringStage,
} from './test/stage';

const NEVER = new AbortController().signal;

let stage: AnsweringStage;
beforeAll(async () => {
  stage = await setAnsweringStage();
});
afterAll(() => stage.close());

test('an answer streams with its sources, its cost and one ending, and becomes a turn', async () => {
  const session = await stage.newSession();
  const parts = await partsOf(stage.ask(session, 'おすすめのバトル漫画を教えて'));
  expect(endingsOf(parts)).toEqual([{ type: 'done', finish: 'stop', intent: 'recommendation' }]);
  expect(parts.at(-1)?.type).toBe('done');
  expect(degradationOf(parts)).toEqual({ parts: [], rung: 'full' });
  const sources = parts.find((part) => part.type === 'sources');
  expect(sources?.sources.length).toBeGreaterThan(0);
  const usage = parts.find((part) => part.type === 'usage');
  expect(usage?.outputTokens).toBeGreaterThan(0);
  expect(stage.bedrock.ledger().map(({ text }) => text)).toContain(textOf(parts));

  await stage.answerer.idle();
  const [turn] = await stage.sessions.lastTurns(session, 10, NEVER);
  expect(turn).toMatchObject({ question: 'おすすめのバトル漫画を教えて', answer: textOf(parts) });
});

test('the same public question is answered from the cache, for everybody of the tenant', async () => {
  const text = '送料はいくらですか？';
  const first = await partsOf(stage.ask(await stage.newSession('user-a'), text));
  await stage.answerer.idle();
  const answers = () => stage.bedrock.ledger().filter(({ text: said }) => said !== '').length;
  const before = answers();
  const second = await partsOf(stage.ask(await stage.newSession('user-b'), ' 送料はいくらですか '));
  expect(textOf(second)).toBe(textOf(first));
  expect(second.find(({ type }) => type === 'usage')).toBeUndefined();
  expect(answers()).toBe(before);
});

test('in a conversation the same words may mean something else: the cache does not answer them', async () => {
  const text = '営業時間は何時までですか';
  await partsOf(stage.ask(await stage.newSession('user-a'), text));
  await stage.answerer.idle();
  const session = await stage.newSession('user-b');
  await partsOf(stage.ask(session, '新宿店に行きたいです'));
  await stage.answerer.idle();
  stage.takePrompts();
  const followUp = await partsOf(stage.ask(session, text));
  expect(followUp.find(({ type }) => type === 'usage')).toBeDefined();
  expect(JSON.stringify(stage.takePrompts())).toContain('新宿店に行きたいです');
  // Nor is what it heard kept, for anybody: neither for the one who asked.
  await stage.answerer.idle();
  const entry = (await stage.redis.keys(`answer:user:${stage.tenant}:user-b:*`)).length;
  const again = await partsOf(stage.ask(session, text));
  expect(again.find(({ type }) => type === 'usage')).toBeDefined();
  await stage.answerer.idle();
  expect(await stage.redis.keys(`answer:user:${stage.tenant}:user-b:*`)).toHaveLength(entry);
});

test('an answer that was given up as lost leaves no turn: it will be asked for anew', async () => {
  const session = await stage.newSession();
  stage.bedrock.pace({ firstTokenMs: 5, tokensPerSecond: 50 });
  const lost = new AbortController();
  const parts = [];
  for await (const batch of stage.ask(session, 'おすすめの小説は？', lost.signal)) {
    parts.push(...batch);
    if (textOf(parts).length > 0) lost.abort(new AnswerLostError('its task had to go'));
  }
  stage.bedrock.pace('instant');
  await stage.answerer.idle();
  expect(await stage.sessions.lastTurns(session, 10, NEVER)).toEqual([]);
});

test('a cancelled answer ends at once, says so, and keeps what was said', async () => {
  const session = await stage.newSession();
  stage.bedrock.pace({ firstTokenMs: 5, tokensPerSecond: 50 });
  const cancel = new AbortController();
  const parts = [];
  for await (const batch of stage.ask(session, 'おすすめの漫画は？', cancel.signal)) {
    parts.push(...batch);
    if (textOf(parts).length > 0) cancel.abort();
  }
  stage.bedrock.pace('instant');
  expect(endingsOf(parts)).toMatchObject([{ type: 'done', finish: 'cancelled' }]);
  await stage.answerer.idle();
  const [turn] = await stage.sessions.lastTurns(session, 10, NEVER);
  expect(turn?.answer).toBe(textOf(parts));
});
