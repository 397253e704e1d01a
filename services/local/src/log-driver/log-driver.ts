import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

import { splitLines } from './core/line-splitter';

/** One line a program wrote. */
export interface LogLine {
  /** Who wrote it: the task. */
  readonly source: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** Takes lines; a promise holds back the program's output until it settles. */
export type LogSink = (line: LogLine) => void | Promise<void>;

export interface LogDriverOptions {
  readonly source: string;
  readonly sink: LogSink;
  /** Sees standard output first; true when the line held metrics. Lines reach the sink either way. */
  readonly ingestEmf?: (line: string) => boolean;
  /** @default 262_144, an event's limit in CloudWatch Logs */
  readonly longestLine?: number;
}

/** What a program writes to. */
export interface ProgramOutput {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

const LONGEST_LINE = 262_144;

/**
 * Reads a program's output as the awslogs driver does, line by line. A slow sink slows the reading, and
 * with it, through the pipe, the program. Resolves when both streams have ended.
 */
export async function driveLogs(output: ProgramOutput, options: LogDriverOptions): Promise<void> {
  await Promise.all([
    read(output.stdout, 'stdout', options),
    read(output.stderr, 'stderr', options),
  ]);
}

async function read(
  readable: Readable,
  stream: LogLine['stream'],
  options: LogDriverOptions,
): Promise<void> {
  const decoder = new StringDecoder('utf8');
  const hand = async (text: string): Promise<void> => {
    if (stream === 'stdout') options.ingestEmf?.(text);
    await options.sink({ source: options.source, stream, text });
  };
  let rest = '';
  try {
    for await (const chunk of readable as AsyncIterable<Buffer>) {
      const split = splitLines(rest, decoder.write(chunk), options.longestLine ?? LONGEST_LINE);
      rest = split.rest;
      for (const line of split.lines) await hand(line);
    }
  } catch (cause) {
    // A pipe cut by the death of the program ends the log like a closed one.
    if (!isCutShort(cause)) throw cause;
  }
  if (rest !== '') await hand(rest);
}

function isCutShort(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
