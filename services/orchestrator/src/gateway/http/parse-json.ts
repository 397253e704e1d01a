import { isUtf8 } from 'node:buffer';

/** A body as the JSON it must be, in the UTF-8 it must be in; `undefined` where it is neither. */
export function parseJson(bytes: Buffer): { readonly value: unknown } | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return undefined;
  }
}
