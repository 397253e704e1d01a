import type { ModelTarget } from '../models/model-schema';
import { groupedKey, redisKey } from './key';

/** Who may be served a cached answer: everybody of the tenant, or one user. */
export type CacheScope =
  { readonly kind: 'public' } | { readonly kind: 'user'; readonly userId: string };

interface SessionId {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** A question that many ask, whoever they are. */
export interface SharedQuestion {
  readonly tenantId: string;
  readonly questionDigest: string;
}

const ofTarget = (target: ModelTarget): readonly [string, string] => [
  target.profile,
  target.region,
];

const ofSession = (session: SessionId): readonly [string, string] => [
  session.tenantId,
  session.sessionId,
];

const ofQuestion = (question: SharedQuestion): readonly [string, string] => [
  question.tenantId,
  question.questionDigest,
];

/** Limits: a target's bucket and its tenants' shares of it change in one script. */
export const limitKeys = {
  target: (target: ModelTarget) => groupedKey('limit:target', ofTarget(target)),
  tenant: (target: ModelTarget, tenantId: string) =>
    groupedKey('limit:tenant', ofTarget(target), tenantId),
  apiToken: (tokenId: string) => groupedKey('limit:token', [tokenId]),
  authFailures: (address: string) => redisKey('limit:auth-failures', address),
} as const;

/** A chat session: its frames, and who writes them, are in one slot. */
export const sessionKeys = {
  frames: (session: SessionId) => groupedKey('session:frames', ofSession(session)),
  epoch: (session: SessionId) => groupedKey('session:epoch', ofSession(session)),
  history: (session: SessionId) => groupedKey('session:history', ofSession(session)),
  /** Set once per client message id: a resend finds it. */
  message: (session: SessionId, clientMessageId: string) =>
    groupedKey('session:message', ofSession(session), clientMessageId),
  /** What a task that makes an answer should know of its client, who is connected to another one. */
  attention: (session: SessionId) => groupedKey('session:attention', ofSession(session)),
  /** Set while a task lives: an answer whose task has gone is lost. */
  task: (taskId: string) => redisKey('session:task', taskId),
  ticket: (ticketDigest: string) => redisKey('session:ticket', ticketDigest),
} as const;

/** Answers. The digest covers model, prompt version and normalised text; tenant and scope stay readable. */
export const answerKeys = {
  cached: (tenantId: string, scope: CacheScope, questionDigest: string) =>
    scope.kind === 'public'
      ? redisKey('answer:public', tenantId, questionDigest)
      : redisKey('answer:user', tenantId, scope.userId, questionDigest),
  sharedLeader: (question: SharedQuestion) => groupedKey('answer:leader', ofQuestion(question)),
  /** What one leader said; the epoch is that of its lease. */
  sharedFrames: (question: SharedQuestion, epoch: number) =>
    groupedKey('answer:frames', ofQuestion(question), String(epoch)),
  /** Set while somebody at another task than its leader's reads it. */
  sharedReaders: (question: SharedQuestion, epoch: number) =>
    groupedKey('answer:readers', ofQuestion(question), String(epoch)),
} as const;

/** Jobs: the fast path in front of the idempotency table. */
export const jobKeys = {
  processed: (jobId: string) => redisKey('job:processed', jobId),
} as const;

/** Leases that keep a chore to one task. */
export const leaseKeys = {
  prewarm: (requestId: string) => redisKey('lease:prewarm', requestId),
  recycling: () => redisKey('lease:recycling'),
  ledgerSweep: () => redisKey('lease:ledger-sweep'),
} as const;
