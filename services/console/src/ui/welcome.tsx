import { Lantern } from './icons';
import { useWords } from './language';

const LANTERNS = 7;

export function Welcome({ onAsk }: { readonly onAsk: (question: string) => void }) {
  const words = useWords();
  return (
    <section class="welcome" aria-labelledby="welcome">
      <div class="garland" aria-hidden="true">
        {Array.from({ length: LANTERNS }, (_, at) => (
          <Lantern key={at} glowing />
        ))}
      </div>
      <h2 id="welcome">{words.welcome}</h2>
      <p>{words.welcomeHint}</p>
      <ul class="starters">
        {words.starters.map((starter) => (
          <li key={starter}>
            <button type="button" onClick={() => onAsk(starter)}>
              {starter}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
