import type { Evidence, LedgerRow, UpstreamAttempt, UsageFigures } from '../evidence';
import type { AttemptStory, CallStory } from './call-story';
import { modelLinkCuts } from './link-cuts';
import { processesThatMayOrphan } from './may-orphan';
import { spendAddsUp } from './spend-adds-up';
import type { Violation } from './violation';

/**
 * I2: every attempt the model saw has one row; what the model told is recorded to the token; what it could not
 * tell lies between what was forwarded and what was emitted, and says that it is an estimate.
 */
export function usageRecorded(
  stories: readonly CallStory[],
  evidence: Evidence,
): readonly Violation[] {
  const world: World = {
    mayOrphan: processesThatMayOrphan(evidence.history),
    linkCutsAtMs: modelLinkCuts(evidence.history),
    blurMs: evidence.settings.blurMs,
  };
  return [
    ...oneRowPerAttempt(evidence),
    ...stories.flatMap((story) =>
      story.attempts.flatMap((it) => attemptProblems(it, story, world)),
    ),
    ...stories.flatMap(whatTheClientWasTold),
    ...spendAddsUp(evidence),
  ];
}

/** What else happened that an attempt's row may be explained by. */
interface World {
  readonly mayOrphan: ReadonlySet<string>;
  readonly linkCutsAtMs: readonly number[];
  readonly blurMs: number;
}

function oneRowPerAttempt({ upstream, rows }: Evidence): Violation[] {
  const rowsOf = Map.groupBy(rows, ({ attemptId }) => attemptId);
  const seen = Map.groupBy(upstream, ({ attemptId }) => attemptId);
  return [
    ...[...seen].flatMap(([id, attempts]) =>
      attempts.length === 1 ? [] : [violation(id, `reached the model ${attempts.length} times`)],
    ),
    ...[...seen.keys()]
      .filter((id) => !rowsOf.has(id))
      .map((id) => violation(id, 'was spent and is not recorded')),
    ...[...rowsOf].flatMap(([id, own]) =>
      own.length === 1 ? [] : [violation(id, `has ${own.length} rows`)],
    ),
  ];
}

function attemptProblems(
  { row, upstream }: AttemptStory,
  story: CallStory,
  world: World,
): Violation[] {
  const problem = (message: string): Violation => violation(row.attemptId, message);
  switch (row.status) {
    case 'reserved':
      return [problem('is still reserved')];
    case 'coalesced':
      return row.costMoney === 0 ? [] : [problem('costs money though no model was called')];
    case 'orphaned':
      return orphanProblems(row, world.mayOrphan.has(story.invoked?.gateway ?? '')).map(problem);
    case 'settled':
      return exactnessProblems(row, upstream).map(problem);
    case 'estimated':
      return estimateProblems(row, upstream, {
        forwarded: forwardedTokens(story, upstream),
        heard: !wasCutOff(row, upstream, world),
      }).map(problem);
  }
}

function orphanProblems(row: LedgerRow, mayBeOne: boolean): string[] {
  const found: string[] = [];
  if (!mayBeOne) found.push('is an orphan although its process could have settled it');
  if (row.costMoney !== row.reservedMoney) found.push('is an orphan not charged as reserved');
  return found;
}

/** `settled` claims the model's own figures, or that nothing was used. */
function exactnessProblems(row: LedgerRow, upstream: UpstreamAttempt | undefined): string[] {
  const told = upstream?.usageSent;
  if (told) return differences(row, told);
  if (row.outcome === 'completed') return ['is settled as completed, but the model never told'];
  if (upstream && upstream.outcome !== 'refused' && upstream.tokensEmitted > 0) {
    return [`is settled, but the model emitted ${upstream.tokensEmitted} tokens and never told`];
  }
  return isFree(row) ? [] : ['is settled with usage that no model told'];
}

function differences(row: LedgerRow, told: UsageFigures): string[] {
  const names = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  return names
    .filter((name) => row[name] !== told[name])
    .map((name) => `records ${row[name]} ${name}, the model told ${told[name]}`);
}

function isFree(row: LedgerRow): boolean {
  return row.inputTokens === 0 && row.outputTokens === 0 && row.costMoney === 0;
}

function estimateProblems(
  row: LedgerRow,
  upstream: UpstreamAttempt | undefined,
  { forwarded, heard }: { readonly forwarded: number; readonly heard: boolean },
): string[] {
  const emitted = upstream?.tokensEmitted ?? 0;
  const found: string[] = [];
  if (row.outcome === 'completed' && upstream?.usageSent) {
    found.push('is an estimate although the model told');
  }
  // Whoever left, or was cut off, before the refusal came cannot have known of it.
  const refused = upstream?.outcome === 'refused' && row.outcome === 'upstream-error' && heard;
  if (refused && !isFree(row)) found.push('costs something although the model refused it');
  if (row.outputTokens < forwarded) {
    found.push(`records ${row.outputTokens} output tokens, ${forwarded} were forwarded`);
  }
  if (row.outputTokens > emitted) {
    found.push(`records ${row.outputTokens} output tokens, ${emitted} were emitted`);
  }
  return found;
}

function wasCutOff(
  { createdAtMs }: LedgerRow,
  upstream: UpstreamAttempt | undefined,
  { linkCutsAtMs, blurMs }: World,
): boolean {
  const endedAtMs = upstream?.endedAtMs ?? Infinity;
  return linkCutsAtMs.some((atMs) => atMs >= createdAtMs - blurMs && atMs <= endedAtMs + blurMs);
}

/** Tokens of the words that reached the client; they are of the attempt that emitted them, the last one. */
function forwardedTokens(story: CallStory, upstream: UpstreamAttempt | undefined): number {
  const { text = '', tokens = 0 } = story.endings[0] ?? {};
  const serving = story.attempts.findLast((it) => it.upstream?.text.startsWith(text) ?? false);
  return serving?.upstream === upstream ? tokens : 0;
}

function whatTheClientWasTold(story: CallStory): Violation[] {
  const [ending] = story.endings;
  if (ending?.ending !== 'completed') return [];
  const completed = story.attempts.filter(({ row }) => row.outcome === 'completed');
  const orphaned = story.attempts.some(({ row }) => row.status === 'orphaned');
  const [only] = completed;
  if (!only || completed.length > 1) {
    // Its process was killed between the last byte and the settlement.
    if (completed.length === 0 && orphaned) return [];
    return [violation(story.id, `was completed, ${completed.length} attempts are recorded so`)];
  }
  const { usage } = ending;
  if (!usage || only.row.status !== 'settled') return [];
  const input = only.row.inputTokens + only.row.cacheReadTokens + only.row.cacheWriteTokens;
  const same = usage.inputTokens === input && usage.outputTokens === only.row.outputTokens;
  return same ? [] : [violation(story.id, 'told its client another usage than it recorded')];
}

function violation(subject: string, message: string): Violation {
  return { invariant: 'I2', subject, message };
}
