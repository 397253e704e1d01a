import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { DEMOGRAPHICS, faqEntry, mangaTitle } from './core/schema';
import type { Catalogue } from './core/schema';

const BESIDE_THE_BUNDLE = join(__dirname, 'catalogue');

/** Where the data lies: beside a bundle its own copy, else in this package. */
const FOLDER = existsSync(BESIDE_THE_BUNDLE) ? BESIDE_THE_BUNDLE : join(__dirname, '../shipped');

/** Reads the catalogue that ships with the platform; throws where the data breaks its schema. */
export function loadCatalogue(folder = FOLDER): Catalogue {
  return parseCatalogue(
    DEMOGRAPHICS.flatMap((demographic) => readList(folder, `titles-${demographic}.json`)),
    readList(folder, 'faq.json'),
  );
}

/** Checks foreign data against the schema of the catalogue. */
export function parseCatalogue(titles: unknown, faq: unknown): Catalogue {
  return { titles: z.array(mangaTitle).parse(titles), faq: z.array(faqEntry).parse(faq) };
}

function readList(folder: string, file: string): unknown[] {
  return z.array(z.unknown()).parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
}
