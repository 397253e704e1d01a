import { AwsError } from './aws-error';

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque to the caller; absent on the last page. */
  readonly nextToken: string | undefined;
}

/** Cuts one page out of a list; the token says where the next begins. */
export function pageOf<Item>(
  items: readonly Item[],
  size: number,
  token: string | undefined,
  invalidTokenCode = 'InvalidNextTokenException',
): Page<Item> {
  const start = token === undefined ? 0 : decode(token);
  if (start === undefined) throw new AwsError(invalidTokenCode, 'The next token is not valid');
  const end = start + size;
  return {
    items: items.slice(start, end),
    nextToken: end < items.length ? Buffer.from(String(end)).toString('base64') : undefined,
  };
}

function decode(token: string): number | undefined {
  const offset = Number(Buffer.from(token, 'base64').toString() || NaN);
  return Number.isInteger(offset) && offset > 0 ? offset : undefined;
}
