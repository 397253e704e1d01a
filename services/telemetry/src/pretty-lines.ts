import { prettyFactory } from 'pino-pretty';

import { inertText } from './core/inert-text';
import { inertValue } from './core/inert-value';
import { parseMembers } from './core/json-members';
import { parseEmf } from './core/parse-emf';

export interface PrettyOptions {
  /** @default whether the terminal shows colours */
  readonly colorize?: boolean;
}

/**
 * Turns log lines of any program into lines for a person. Metric documents become nothing; a line
 * that is no log record (a crash before logging began) is passed on, inert.
 */
export function prettyLines(options: PrettyOptions = {}): (line: string) => string {
  const format = prettyFactory({
    ...(options.colorize !== undefined && { colorize: options.colorize }),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'service',
    messageFormat: (record, messageKey) =>
      `${textOf(record['service'])}: ${textOf(record[messageKey])}`,
  });
  return (line) => {
    if (parseEmf(line) !== undefined) return '';
    const record = parseMembers(line);
    if (record === undefined) return `${inertText(line.trimEnd(), 'escape')}\n`;
    return format(inertValue(record));
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '-';
}
