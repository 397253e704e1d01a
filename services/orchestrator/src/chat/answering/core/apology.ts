import type { DEGRADATIONS, FRAME_ERRORS } from '@matsuri/contract';
import type { GatewayRefusal } from '../../../gateway/core/gateway-refusal';

export interface Apology {
  readonly code: (typeof FRAME_ERRORS)[number];
  readonly message: string;
  readonly retryAfterMs?: number;
}

type Words = Readonly<Record<'ja' | 'en', string>>;

const BUSY: Words = {
  ja: 'ただいま大変混み合っており、お答えできませんでした。少し時間をおいてもう一度お試しください。',
  en: 'We are very busy right now and could not answer. Please try again in a moment.',
};
const BROKEN: Words = {
  ja: '申し訳ありません。回答を作成できませんでした。少し時間をおいてもう一度お試しください。',
  en: 'We are sorry: the answer could not be made. Please try again in a moment.',
};
const LATE: Words = {
  ja: '申し訳ありません。時間内に回答できませんでした。もう一度お試しください。',
  en: 'We are sorry: there was no answer in time. Please try again.',
};
const REFUSED: Words = {
  ja: 'このアカウントではご利用いただけません。設定をご確認ください。',
  en: 'This account may not do that. Please check its settings.',
};
const SPENT: Words = {
  ja: 'ご利用上限に達しました。上限の更新後にもう一度お試しください。',
  en: 'The spending limit has been reached. Please try again after it resets.',
};

const WHEN_UNKNOWN_MS = 5_000;

/** Says honestly that there is no answer, and when to come back. */
export function apologyFor(refusal: GatewayRefusal, locale: 'ja' | 'en'): Apology {
  switch (refusal.reason) {
    case 'overloaded':
    case 'requests-limited':
    case 'tokens-limited':
    case 'upstream-throttled':
    case 'ledger-unavailable':
      return {
        code: 'overloaded',
        message: BUSY[locale],
        retryAfterMs: Math.max(1, Math.ceil(refusal.waitMs)),
      };
    case 'first-content-late':
    case 'answer-late':
      return { code: 'timeout', message: LATE[locale], retryAfterMs: WHEN_UNKNOWN_MS };
    case 'upstream-failed':
    case 'upstream-misconfigured':
    case 'answer-cut':
      return { code: 'upstream_failed', message: BROKEN[locale], retryAfterMs: WHEN_UNKNOWN_MS };
    case 'upstream-rejected':
      return { code: 'upstream_failed', message: BROKEN[locale] };
    case 'spend-cap-reached':
      return { code: 'overloaded', message: SPENT[locale] };
    case 'tokens-beyond-limit':
    case 'model-not-found':
    case 'model-not-allowed':
    case 'residency-not-allowed':
    case 'key-invalid':
      return { code: 'unauthorised', message: REFUSED[locale] };
  }
}

/** Refusals of those who have had their share; the models would answer others. */
const OF_LIMITS: ReadonlySet<GatewayRefusal['reason']> = new Set([
  'overloaded',
  'requests-limited',
  'tokens-limited',
  'tokens-beyond-limit',
  'spend-cap-reached',
]);

/** Which part of an answer a refusal took away. */
export function degradationOf({ reason }: GatewayRefusal): (typeof DEGRADATIONS)[number] {
  return OF_LIMITS.has(reason) ? 'limits' : 'model';
}

/** Refusals that concern who asked, not what was asked. */
const OF_CALLER: ReadonlySet<GatewayRefusal['reason']> = new Set([
  'requests-limited',
  'tokens-limited',
  'tokens-beyond-limit',
  'spend-cap-reached',
  'key-invalid',
  'model-not-allowed',
  'residency-not-allowed',
]);

/** Whether somebody else who asks the same may be answered. */
export function isOfCaller({ reason }: GatewayRefusal): boolean {
  return OF_CALLER.has(reason);
}
