/** Lets one loop sleep until somebody nudges it, or a time has passed. A nudge is never lost. */
export interface Nudge {
  nudge(): void;
  sleep(forMs?: number): Promise<void>;
}

export function createNudge(): Nudge {
  let nudged = false;
  let wake: (() => void) | undefined;

  return {
    nudge() {
      nudged = true;
      wake?.();
    },
    async sleep(forMs) {
      if (!nudged) {
        await new Promise<void>((resolve) => {
          const timer = forMs === undefined ? undefined : setTimeout(resolve, Math.max(1, forMs));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      nudged = false;
    },
  };
}
