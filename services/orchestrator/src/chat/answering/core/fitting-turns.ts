import { estimateTextTokens } from '../../../gateway/core/openai/estimate-text-tokens';
import { clipText } from './clip-text';
import { visibleText } from './visible-text';

export interface PastTurn {
  readonly question: string;
  readonly answer: string;
}

/**
 * The latest turns that fit so many tokens, oldest first. A conversation is cut at its beginning; its last turn, which
 * the next question is most likely about, is shortened rather than left out.
 */
export function fittingTurns(
  history: readonly PastTurn[],
  budgetTokens: number,
): readonly PastTurn[] {
  // A turn without an answer would leave two questions in a row.
  const answered = history.filter(({ answer }) => visibleText(answer).trim() !== '');
  const kept: PastTurn[] = [];
  let left = budgetTokens;
  for (const turn of answered.toReversed()) {
    const fitting = kept.length === 0 ? clipTurn(turn, budgetTokens) : turn;
    left -= tokensOf(fitting);
    if (left < 0) break;
    kept.unshift(fitting);
  }
  return kept;
}

function tokensOf({ question, answer }: PastTurn): number {
  return estimateTextTokens(question) + estimateTextTokens(answer);
}

/** Where both halves are long each has half of the room; a short one leaves the rest of it to the other. */
function clipTurn(turn: PastTurn, budgetTokens: number): PastTurn {
  const room = Math.max(budgetTokens / 2, budgetTokens - estimateTextTokens(turn.answer));
  const question = clipText(turn.question, room);
  return { question, answer: clipText(turn.answer, budgetTokens - estimateTextTokens(question)) };
}
