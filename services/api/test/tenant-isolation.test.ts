import { PATHS } from '@matsuri/contract';
import { json, setAppStage } from './app-stage';
import { apiDocumentShape } from './api-document';
import { crossings } from './tenant-isolation';
import { aToken } from './token-store-contract';

test('ids of another tenant look on every route like ids that nobody has', async () => {
  const stage = setAppStage();
  const document = apiDocumentShape.parse(await (await stage.ask(PATHS.openapi)).json());
  const { token } = await stage.tokens.create(aToken({ tenantId: 'theirs' }));
  const attempts = crossings(document, 'ours', token.id);
  expect(attempts.length).toBeGreaterThanOrEqual(8);

  const answers = new Set<string>();
  for (const { sample } of attempts) {
    const response = await stage.call(sample.method, sample.url, sample.body, {
      'x-request-id': 'same',
    });
    expect(response.status).toBe(404);
    answers.add(JSON.stringify(await json(response)));
  }
  expect(answers.size).toBe(1);
  expect(await stage.tokens.get('theirs', token.id)).toEqual(token);
});
