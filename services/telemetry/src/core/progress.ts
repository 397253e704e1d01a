/** How far a long command has come. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly label: string;
  readonly elapsedMs: number;
}

const BAR_WIDTH = 24;
const TERMINAL_INTERVAL_MS = 50;
const LOG_INTERVAL_MS = 5_000;

/** A bar for a terminal, where the next one takes its place. */
export function progressBar(progress: Progress): string {
  const filled = Math.round(shareOf(progress) * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${progressLine(progress)}`;
}

/** A line for a log, where everything stays. */
export function progressLine(progress: Progress): string {
  const { done, total, label } = progress;
  const percent = Math.floor(shareOf(progress) * 100);
  return `${String(percent)} % (${String(done)}/${String(total)}) ${label}${remaining(progress)}`;
}

/** Whether enough time went by to say more; the end is always worth saying. */
export function isWorthShowing(
  progress: Progress,
  lastShownAtMs: number,
  onTerminal: boolean,
): boolean {
  const intervalMs = onTerminal ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
  return progress.done >= progress.total || progress.elapsedMs - lastShownAtMs >= intervalMs;
}

function shareOf({ done, total }: Progress): number {
  return total <= 0 ? 1 : Math.min(1, Math.max(0, done / total));
}

function remaining({ done, total, elapsedMs }: Progress): string {
  if (done <= 0 || done >= total) return '';
  const seconds = Math.ceil((elapsedMs * (total - done)) / done / 1000);
  return `, ${String(seconds)} s left`;
}
