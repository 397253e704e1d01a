interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

/** The first rows of a list, over as many pages as it takes; `more` when there are others behind them. */
export async function firstRows<Row>(
  count: number,
  pageSize: number,
  fetchPage: (query: { limit: string; cursor: string | undefined }) => Promise<Page<Row>>,
): Promise<{ readonly rows: Row[]; readonly more: boolean }> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(pageSize, count - rows.length));
    const page: Page<Row> = await fetchPage({ limit, cursor: cursor ?? undefined });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < count);
  return { rows, more: cursor !== null };
}
