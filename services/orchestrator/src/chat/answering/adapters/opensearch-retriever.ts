import { z } from 'zod';
import {
  connectOpenSearch,
  SearchRefusedError,
  type OpenSearchConnectionOptions,
} from '../../../adapters/opensearch-connection';
import { popularTitlesQuery, retrievalQuery } from '../core/retrieval-query';
import type { Passage } from '../core/passage';
import type { PopularTitles, Retriever } from '../ports';

/** The catalogue's index. */
export interface OpenSearch {
  readonly retrieve: Retriever;
  /** Best sellers first. */
  readonly popularTitles: PopularTitles;
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
  const search = async (query: object, signal: AbortSignal): Promise<readonly Passage[]> => {
    const asked = JSON.stringify(query);
    const { status, body } = await connection.send('POST', '/_search', asked, signal);
    if (status !== 200) throw new SearchRefusedError(status, `OpenSearch said ${status}`);
    const found = hits.parse(JSON.parse(body.toString('utf8')));
    if (found.timed_out) throw new SearchRefusedError(504, 'OpenSearch ran out of time');
    return found.hits.hits.map(({ _source }) => passageOf(_source));
  };

  return {
    retrieve: (wish, signal) => search(retrievalQuery(wish), signal),
    popularTitles: (tenantId, size, signal) => search(popularTitlesQuery(tenantId, size), signal),
    close: () => connection.close(),
  };
}

type Source = z.output<typeof hits>['hits']['hits'][number]['_source'];

function passageOf({ id, title, title_en, text, text_en }: Source): Passage {
  return { id, title, titleEn: title_en, text: [text, text_en].join('\n').trim() };
}
