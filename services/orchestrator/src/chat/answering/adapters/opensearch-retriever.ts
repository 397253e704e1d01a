import { z } from 'zod';
import {
  connectOpenSearch,
  SearchRefusedError,
  type OpenSearchConnectionOptions,
} from '../../../adapters/opensearch-connection';
import { retrievalQuery } from '../core/retrieval-query';
import type { Passage } from '../core/passage';
import type { Retriever } from '../ports';

/** The catalogue's index. */
export interface OpenSearch {
  readonly retrieve: Retriever;
  close(): Promise<void>;
}

const textField = z.string().default('');
const hits = z.object({
  timed_out: z.boolean().default(false),
  hits: z.object({
    hits: z.array(
      z.object({
        _source: z.object({
          id: z.string(),
          title: textField,
          title_en: textField,
          text: textField,
          text_en: textField,
        }),
      }),
    ),
  }),
});

/** Opens the index for questions. */
export function openOpenSearch(options: OpenSearchConnectionOptions): OpenSearch {
  const connection = connectOpenSearch(options);
  return {
    async retrieve(wish, signal) {
      const question = JSON.stringify(retrievalQuery(wish));
      const { status, body } = await connection.send('POST', '/_search', question, signal);
      if (status !== 200) throw new SearchRefusedError(status, `OpenSearch said ${status}`);
      const found = hits.parse(JSON.parse(body.toString('utf8')));
      if (found.timed_out) throw new SearchRefusedError(504, 'OpenSearch ran out of time');
      return found.hits.hits.map(({ _source }) => passageOf(_source));
    },
    close: () => connection.close(),
  };
}

type Source = z.output<typeof hits>['hits']['hits'][number]['_source'];

function passageOf({ id, title, title_en, text, text_en }: Source): Passage {
  return { id, title, titleEn: title_en, text: [text, text_en].join('\n').trim() };
}
