import { seededRandom } from '../load/seeded-random';

const SYSTEM = 'You help readers of a manga shop. Answer briefly and name the volume you mean.';

const WORDS =
  'which volume of the series should I read after the arc in the harbour if I liked the quiet chapters more than the battles and want a used copy under ten dollars that ships this week'.split(
    ' ',
  );

const PROMPTS = 64;
const WORDS_PER_PROMPT = 60;

/** What one caller says, before it is put into anybody's wire format. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** Questions of ordinary length, different enough that nobody can answer from memory. */
export function somePrompts(seed: number): readonly Prompt[] {
  const random = seededRandom(seed);
  const word = (): string => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  return Array.from({ length: PROMPTS }, () => ({
    system: SYSTEM,
    user: Array.from({ length: WORDS_PER_PROMPT }, word).join(' '),
  }));
}
