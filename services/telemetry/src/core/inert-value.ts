import { inertText } from './inert-text';
import { isMembers } from './json-members';

/** A JSON value whose every text, keys too, is harmless on a terminal; only a stack keeps its lines. */
export function inertValue(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return inertText(value, key === 'stack' ? 'keep' : 'escape');
  if (Array.isArray(value)) return value.map((item) => inertValue(item));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      inertText(name, 'escape'),
      inertValue(member, name),
    ]),
  );
}
