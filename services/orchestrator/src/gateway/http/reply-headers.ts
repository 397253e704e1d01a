import { HEADERS } from '@matsuri/contract';
import { rateLimitHeaders } from '../core/openai/refusal/rate-limit-headers';
import type { StreamedAnswer } from '../gateway';
import type { ReplyHeaders } from './exchange';

/** Who answered, and what is left of the caller's limits. */
export function answerHeaders({
  servedBy,
  limits,
}: Pick<StreamedAnswer, 'servedBy' | 'limits'>): ReplyHeaders {
  return { [HEADERS.servedBy]: servedBy.name, ...rateLimitHeaders(limits) };
}
