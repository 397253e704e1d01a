import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { renderPage, type PageContent } from './core/suite/page';

/** Writes the page beside the figures, under the same name, and returns its path. */
export function writePage(figuresPath: string, content: PageContent, seed: number): string {
  const path = figuresPath.replace(/\.json$/, '.html');
  const part = (name: string) => readFileSync(join(__dirname, 'page', name), 'utf8');
  writeFileSync(
    path,
    renderPage(content, { script: part('page.js'), style: part('page.css'), seed }),
  );
  return path;
}
