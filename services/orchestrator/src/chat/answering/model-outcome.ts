import type { RequestScope } from '@matsuri/resilience';
import type { AnswerWorld } from './answer-world';
import { isOfCaller } from './core/apology';
import type { Generation, GenerationInput, Refused } from './generation';
import type { Share } from './shared-generations';
import type { WaitingTime } from './waiting-time';

interface Asking {
  readonly world: Pick<AnswerWorld, 'generator' | 'log'>;
  readonly scope: RequestScope;
  readonly waits: WaitingTime;
  /** Aborted when whoever asked wants no more. */
  readonly caller: AbortSignal;
}

/** What came of the models, asked alone or with others; that none spoke before the deadline is a refusal too. */
export async function modelOutcome(
  input: GenerationInput,
  share: Share | undefined,
  { world, scope, waits, caller }: Asking,
): Promise<Generation | Refused> {
  const alone = () => world.generator.generate(input, scope, waits);
  try {
    if (!share) return await alone();
    const outcome = await waits.during(() => share.outcome);
    const isFollower = share.role === 'follower';
    // What the leader may not, a follower may.
    const mayItself = isFollower && outcome.kind === 'refused' && isOfCaller(outcome.refusal);
    return mayItself ? await alone() : outcome;
  } catch (err) {
    if (caller.aborted) throw err;
    const late = scope.signal.aborted;
    if (!late) world.log.warn('no model was reached', { err });
    const reason = late ? 'first-content-late' : 'upstream-failed';
    return { kind: 'refused', refusal: { reason, subject: 'every model' }, degraded: [] };
  }
}
