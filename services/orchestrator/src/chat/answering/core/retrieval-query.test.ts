import { INTENTS } from '@matsuri/contract';
import fc from 'fast-check';
import { z } from 'zod';
import { popularTitlesQuery, retrievalQuery } from './retrieval-query';

const wish = fc.record({
  tenantId: fc.string(),
  intent: fc.constantFrom(...INTENTS),
  text: fc.string({ unit: 'binary' }),
  vector: fc.option(fc.array(fc.double({ noNaN: true }), { maxLength: 5 }), { nil: undefined }),
  size: fc.integer({ min: 1, max: 50 }),
});

const filters = z.array(z.unknown());
const byWords = z.object({ bool: z.object({ filter: filters }) });
const byMeaning = z.object({
  knn: z.object({
    vector: z.object({ filter: z.object({ bool: z.object({ filter: filters }) }) }),
  }),
});
const hybrid = z.object({ hybrid: z.object({ queries: z.array(z.unknown()) }) });

/** The filters of every query that finds documents by itself; one without any fails. */
function filtersIn(query: unknown): readonly (readonly unknown[])[] {
  const both = hybrid.safeParse(query).data;
  if (both) return both.hybrid.queries.flatMap(filtersIn);
  const near = byMeaning.safeParse(query).data;
  return [near ? near.knn.vector.filter.bool.filter : byWords.parse(query).bool.filter];
}

test('every search in every query carries the filter of its tenant, and of what is public', () => {
  fc.assert(
    fc.property(wish, ({ vector, ...rest }) => {
      const found = filtersIn(retrievalQuery({ ...rest, ...(vector && { vector }) })['query']);
      expect(found).toHaveLength(vector ? 2 : 1);
      for (const filter of found) {
        expect(filter).toContainEqual({ term: { tenant: rest.tenantId } });
        expect(filter).toContainEqual({ term: { scope: 'public' } });
        expect(filter).toContainEqual({ term: { intent: rest.intent } });
      }
    }),
    { numRuns: 1_000 },
  );
});

test('what sells best is asked of one tenant alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 100 }), (tenantId, size) => {
      const [filter] = filtersIn(popularTitlesQuery(tenantId, size)['query']);
      expect(filter).toContainEqual({ term: { tenant: tenantId } });
    }),
  );
});

test('without a vector the words alone are searched for', () => {
  const body = retrievalQuery({ tenantId: 't', intent: 'faq', text: 'x', size: 3 });
  expect(body).not.toHaveProperty('search_pipeline');
  expect(JSON.stringify(body)).not.toContain('knn');
});
