import type { Field, FieldType, Mapping } from './mapping';

interface Described {
  type?: string;
  properties?: Record<string, Described>;
  fields?: Record<string, Described>;
  [setting: string]: unknown;
}

/** A mapping as a client reads it back, dynamic fields included. */
export function describeMapping({ dynamic, fields }: Mapping): unknown {
  const root: Described = { properties: {} };
  for (const [path, field] of fields) place(root, path, field);
  return { ...(dynamic === 'true' ? {} : { dynamic }), properties: root.properties };
}

function place(root: Described, path: string, { type, source }: Field): void {
  const owner = source.split('.').reduce((node, name) => child(node, 'properties', name), root);
  const own = path === source ? owner : child(owner, 'fields', path.slice(source.length + 1));
  Object.assign(own, describeType(type));
}

function child(node: Described, group: 'properties' | 'fields', name: string): Described {
  const children = (node[group] ??= {});
  return (children[name] ??= {});
}

function describeType(type: FieldType): Described {
  switch (type.kind) {
    case 'text':
    case 'boolean':
    case 'date':
      return { type: type.kind };
    case 'number':
      return { type: type.name };
    case 'keyword':
      return {
        type: 'keyword',
        ...(Number.isFinite(type.ignoreAbove) ? { ignore_above: type.ignoreAbove } : {}),
      };
    case 'vector':
      return {
        type: 'knn_vector',
        dimension: type.dimension,
        method: { name: 'hnsw', engine: type.engine, space_type: type.space },
      };
  }
}
