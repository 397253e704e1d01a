import type { Answer } from '../core/conversation';
import { visibleText } from '../core/visible-text';
import { useWords } from './language';

/** Says that an answer is less than it could be, and on demand what was missing and why. */
export function DegradedBadge({ rung, parts, reason }: NonNullable<Answer['degraded']>) {
  const words = useWords();
  return (
    <details class="degraded">
      <summary>{rung === 'full' ? words.reduced : words.rungs[rung]}</summary>
      <div>
        {parts.length > 0 && (
          <>
            <p>{words.reducedParts}:</p>
            <ul>
              {parts.map((part) => (
                <li key={part}>{words.parts[part]}</li>
              ))}
            </ul>
          </>
        )}
        <p class="reason">{visibleText(reason)}</p>
      </div>
    </details>
  );
}
