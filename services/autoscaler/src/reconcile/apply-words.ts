import type { Page, Plan } from '../core';
import type { Pager, SharedRecords } from '../ports';
import type { Effects } from './effects';

export interface WordsWorld {
  readonly records: SharedRecords;
  readonly pager: Pager;
}

/** What the last cycle had said, so that only changes are news. */
export interface Said {
  readonly mitigations: string;
  readonly prewarm: string | undefined;
}

/** Tells orchestrators what to mitigate and to prepare. */
export async function applyRecords(
  { records }: WordsWorld,
  { mitigations, prewarm }: Plan,
  said: Said | undefined,
  epoch: number,
  effects: Effects,
): Promise<Said> {
  const now = mitigations.active.map((it) => it.mitigation).join(', ');
  const changed = now !== (said?.mitigations ?? '');
  await effects.attempt({
    what: changed ? 'change mitigations' : 'renew mitigations',
    reason: mitigations.reason,
    fields: { active: now, cache_seconds: mitigations.cacheSeconds },
    routine: !changed,
    moves: changed,
    run: () => records.putMitigations(mitigations, epoch),
  });
  if (prewarm !== undefined) {
    await effects.attempt({
      what: 'ask for answers to be prepared',
      reason: prewarm.reason,
      fields: { request: prewarm.requestId, titles: prewarm.titles },
      routine: prewarm.requestId === said?.prewarm,
      run: () => records.putPrewarm(prewarm),
    });
  }
  return { mitigations: now, prewarm: prewarm?.requestId };
}

/** Sends what was not sent; returns what is still left, for the next cycle or the successor. */
export async function sendPages(
  { pager }: WordsWorld,
  unsent: readonly Page[],
  effects: Effects,
): Promise<readonly Page[]> {
  const left: Page[] = [];
  for (const page of unsent) {
    const sent = await effects.attempt({
      what: `tell people: ${page.title}`,
      reason: page.text,
      fields: { key: page.key, severity: page.severity },
      run: () => pager.send(page),
    });
    if (!sent) left.push(page);
  }
  return left;
}
