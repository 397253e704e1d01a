import { useEffect, useState } from 'preact/hooks';

interface Source<State> {
  readonly state: State;
  subscribe(listener: () => void): () => void;
}

/** The current state of a source, at most once per frame of the screen: tokens come faster than eyes read. */
export function useLive<State>(source: Source<State>): State {
  const [state, setState] = useState(source.state);
  useEffect(() => {
    let scheduled: number | undefined;
    const show = (): void => {
      scheduled = undefined;
      setState(source.state);
    };
    const unsubscribe = source.subscribe(() => {
      scheduled ??= requestAnimationFrame(show);
    });
    show();
    return () => {
      unsubscribe();
      if (scheduled !== undefined) cancelAnimationFrame(scheduled);
    };
  }, [source]);
  return state;
}
