import type { Answer } from '../core/conversation';
import { useWords } from './language';

/** Says that an answer is less than it could be, and on demand what that means and what was missing. */
export function DegradedBadge({ rung, parts }: NonNullable<Answer['degraded']>) {
  const words = useWords();
  const { name, meaning } = words.rungs[rung];
  return (
    <details class="degraded">
      <summary>{name}</summary>
      <div>
        <p>{meaning}</p>
        {parts.length > 0 && (
          <>
            <p class="missing">{words.reducedParts}:</p>
            <ul>
              {parts.map((part) => (
                <li key={part}>{words.parts[part]}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
