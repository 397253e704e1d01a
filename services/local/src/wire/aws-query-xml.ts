/** Writes an output's members as XML, lists as `member` elements; undefined members are left out. */
export function toXml(value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => element('member', item)).join('');
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .map(([name, child]) => element(name, child))
      .join('');
  }
  return isText(value) ? escapeText(String(value)) : '';
}

function isText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export function element(name: string, value: unknown, attributes = ''): string {
  return `<${name}${attributes}>${toXml(value)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
