import { pino } from 'pino';

/** Takes one line, its line break included. */
export type WriteLine = (line: string) => void;

/** Writes whole lines to standard output before it returns: nothing is lost in a crash, nothing interleaves. */
export function stdoutLines(): WriteLine {
  const destination = pino.destination({ fd: 1, sync: true });
  return (line) => {
    destination.write(line);
  };
}
