import { defaultConfiguration } from '@matsuri/contract';
import OpenAI from 'openai';

import { chatModels, modelEntry, modelList } from './chat-models';

const models = chatModels(defaultConfiguration.models);
const CREATED = 1_790_000_000;

test('every name a chat can ask for is listed: aliases, then profile ids, no embeddings', () => {
  const { data } = modelList(models, { created: CREATED });
  const ids = data.map(({ id }) => id);
  expect(ids.slice(0, 2)).toEqual(['complex', 'simple']);
  expect(ids).toContain('jp.anthropic.claude-sonnet-5');
  expect(ids.some((id) => id.includes('embed'))).toBe(false);
});

test('an alias stands for its preferred model', () => {
  expect(models.get('complex')).toBe(models.get('jp.anthropic.claude-sonnet-5'));
});

test('a caller sees the names that are allowed', () => {
  const { data } = modelList(models, { created: CREATED, isAllowed: (name) => name === 'simple' });
  expect(data).toEqual([
    { id: 'simple', object: 'model', created: CREATED, owned_by: 'matsuri', shutdown_date: null },
  ]);
});

test('a model shows its maker and when it ends', () => {
  const model = models.get('jp.anthropic.claude-sonnet-5');
  if (model === undefined) throw new Error('no model');
  const ending = { ...model, lifecycle: { endOfLifeOn: '2027-01-08' } };
  const entry: OpenAI.Models.Model = modelEntry('jp.anthropic.claude-sonnet-5', ending, CREATED);
  expect(entry).toMatchObject({ owned_by: 'anthropic', shutdown_date: '2027-01-08' });
});

test('the official client reads the list', async () => {
  const client = new OpenAI({
    apiKey: 'key',
    baseURL: 'http://127.0.0.1:9/v1',
    fetch: () => Promise.resolve(Response.json(modelList(models, { created: CREATED }))),
  });
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual([...models.keys()]);
});
