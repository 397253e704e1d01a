/** Who may see a task: every token of the user within the tenant, so that a rotated one does not lose its results. */
export interface TaskOwner {
  readonly tenantId: string;
  readonly userId: string;
}

/** A completion that was promised and will be fetched. */
export interface NewCompletionTask extends TaskOwner {
  readonly taskId: string;
  readonly tokenId: string | null;
  readonly requestId: string;
  readonly requestedModel: string;
}

/** How the process that ran it says it ended. Both texts are the caller's own; they come back as they are. */
export type TaskEnding =
  | { readonly status: 'completed'; readonly result: string; readonly servedBy: string }
  | { readonly status: 'failed'; readonly error: string };

interface TaskFacts {
  readonly taskId: string;
  readonly requestedModel: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A task as it is found. `lost`: its process died, or never told; nothing is known of an answer. */
export type CompletionTask = TaskFacts &
  ({ readonly status: 'pending' } | { readonly status: 'lost' } | TaskEnding);

/** `ended-before`: it had ended already, and stays as it was. */
export type FinishOutcome = 'finished' | 'ended-before';

export interface TaskSweepResult {
  readonly lost: number;
  readonly removed: number;
}
