/** What a query-protocol form decodes to; every scalar is text until a schema says otherwise. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

type Branch = Map<string, Branch | string>;

/** Rebuilds nested input from flat keys such as `Targets.member.1.Id`. */
export function parseQueryForm(body: string): Record<string, FormValue> {
  const root: Branch = new Map();
  for (const [key, value] of new URLSearchParams(body)) plant(root, key.split('.'), value);
  return Object.fromEntries([...root].map(([name, node]) => [name, harvest(node)]));
}

function plant(branch: Branch, path: readonly string[], value: string): void {
  const [head = '', ...rest] = path;
  if (rest.length === 0) {
    branch.set(head, value);
    return;
  }
  const existing = branch.get(head);
  const next = existing instanceof Map ? existing : new Map<string, Branch | string>();
  branch.set(head, next);
  plant(next, rest, value);
}

function harvest(node: Branch | string): FormValue {
  if (typeof node === 'string') return node;
  const members = node.get('member');
  if (node.size === 1 && members instanceof Map) {
    return [...members]
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, member]) => harvest(member));
  }
  return Object.fromEntries([...node].map(([name, child]) => [name, harvest(child)]));
}
