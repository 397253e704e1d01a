import { INTENTS } from '@matsuri/contract';

import { loadCatalogue } from '../shipped-catalogue';
import { catalogueDocuments, embeddingText } from './documents';

const documents = catalogueDocuments(loadCatalogue(), 'matsuri-books');

test('every title and answer becomes one public document of the tenant', () => {
  const { titles, faq } = loadCatalogue();
  expect(documents.map(({ id }) => id)).toEqual([...titles, ...faq].map(({ id }) => id));
  expect(new Set(documents.map(({ tenant }) => tenant))).toEqual(new Set(['matsuri-books']));
  expect(new Set(documents.map(({ scope }) => scope))).toEqual(new Set(['public']));
});

test('every intent finds something', () => {
  for (const intent of INTENTS) {
    expect(documents.filter((document) => document.intent.includes(intent))).not.toEqual([]);
  }
});

test('announced volumes and magazine days lie flat, where a range or a term can reach them', () => {
  const courier = documents.find(({ id }) => id === 'lantern-courier');
  expect(courier).toMatchObject({
    next_release_day: '2026-12-04',
    next_volume: 15,
    weekday: 'monday',
  });
});

test('what is embedded speaks both languages', () => {
  for (const document of documents) {
    const text = embeddingText(document);
    expect(text).toContain(document.text);
    expect(text).toContain(document.text_en);
  }
});
