import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { DEMOGRAPHICS, faqEntry, mangaTitle } from './schema';
import type { Catalogue } from './schema';

/** Reads the catalogue that ships with the repository; throws where the data breaks its schema. */
export function loadCatalogue(): Catalogue {
  return parseCatalogue(
    DEMOGRAPHICS.flatMap((demographic) => readList(`titles-${demographic}.json`)),
    readList('faq.json'),
  );
}

/** Checks foreign data against the schema of the catalogue. */
export function parseCatalogue(titles: unknown, faq: unknown): Catalogue {
  return { titles: z.array(mangaTitle).parse(titles), faq: z.array(faqEntry).parse(faq) };
}

function readList(file: string): unknown[] {
  return z.array(z.unknown()).parse(JSON.parse(readFileSync(join(__dirname, file), 'utf8')));
}
