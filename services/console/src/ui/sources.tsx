import type { Answer } from '../core/conversation';
import { visibleText } from '../core/visible-text';
import { useWords } from './language';

interface SourcesProps {
  readonly sources: Answer['sources'];
  readonly turnId: string;
}

export function sourceAnchor(turnId: string, number: number): string {
  return `source-${turnId}-${number}`;
}

export function Sources({ sources, turnId }: SourcesProps) {
  const words = useWords();
  if (sources.length === 0) return null;
  return (
    <section class="sources">
      <h3>{words.sources}</h3>
      <ol>
        {sources.map(({ titleId, title, url }, at) => (
          <li key={titleId} id={sourceAnchor(turnId, at + 1)} tabIndex={-1}>
            <span class="number" aria-hidden="true">
              {at + 1}
            </span>
            {url === undefined ? (
              <span>{visibleText(title)}</span>
            ) : (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {visibleText(title)}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
