import { randomUUID } from 'node:crypto';
import { prewarmRequest } from '@matsuri/contract';
import { eventually } from '../../../test/eventually';
import { partsOf, setAnsweringStage, textOf, type AnsweringStage } from './test/stage';

const TITLES = 3;
const REGION = 'ap-northeast-1';
const HAIKU = 'anthropic.claude-haiku-4-5-20251001-v1:0';

let stage: AnsweringStage;
beforeAll(async () => {
  stage = await setAnsweringStage({
    residencies: ['jp'],
    overrides: {
      mitigations: { cacheSeconds: { normal: 1, event: 1, throttled: 1 } },
      // Whoever may be served anywhere is served abroad.
      models: {
        aliases: {
          simple: ['global', 'jp'].map((place) => ({
            profile: `${place}.${HAIKU}`,
            region: REGION,
          })),
        },
      },
    },
  });
});
afterAll(async () => {
  await stage.redis.del(prewarmRequest.key());
  await stage.close();
});

const generated = () => stage.bedrock.ledger().filter(({ text }) => text !== '');

test('the most popular titles are answered ahead, for everybody, and stay fresh for the event', async () => {
  const request = {
    requestId: `release-${randomUUID()}`,
    event: 'release',
    titles: TITLES,
    notAfterMs: Date.now() + 60_000,
  };
  await stage.redis.set(prewarmRequest.key(), prewarmRequest.encode(request), 'EX', 60);
  await eventually(() => stage.written().some((line) => line.includes('answers are warm')), 20_000);
  await stage.answerer.idle();
  const keys = await stage.redis.keys(`answer:public:${stage.tenant}:*`);
  expect(keys.length).toBeGreaterThanOrEqual(TITLES);
  const entries = await Promise.all(keys.map(async (key) => (await stage.redis.get(key)) ?? ''));
  for (const entry of entries) expect(entry).toContain('"madeFor":"prewarm-');

  // Where the tenant may be served, and nowhere else.
  expect(new Set(generated().map(({ model }) => model))).toEqual(new Set([`jp.${HAIKU}`]));

  const before = generated().length;
  const texts = await Promise.all(
    popularQuestions(stage).map(async (text) =>
      textOf(await partsOf(stage.ask(await stage.newSession(), text))),
    ),
  );
  for (const text of texts) {
    expect(entries.some((entry) => entry.includes(JSON.stringify(text)))).toBe(true);
  }
  expect(generated().length).toBe(before);
});

/** As customers ask of the best sellers. */
function popularQuestions({ bestSellers }: AnsweringStage): readonly string[] {
  return bestSellers
    .slice(0, TITLES)
    .flatMap(({ title, title_en }) => [
      `${title}の最新刊はありますか？`,
      `do you have the latest volume of ${title_en}`,
    ]);
}
