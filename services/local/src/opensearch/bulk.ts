import { z } from 'zod';

import type { Cluster } from './cluster';
import { SearchError, illegalArgument, jsonObject } from './core/search-error';
import type { JsonObject } from './core/search-error';
import { writeDocument } from './document-writes';
import type { DocumentWrite } from './document-writes';

const target = z.strictObject({ _index: z.string().optional(), _id: z.string().optional() });
const actionLine = z.union([
  z.strictObject({ index: target }),
  z.strictObject({ create: target }),
  z.strictObject({ update: target }),
  z.strictObject({ delete: target }),
]);

/** Reads newline-delimited actions, each but a delete followed by its document. */
export function parseBulk(body: string, defaultIndex?: string): readonly DocumentWrite[] {
  if (!body.endsWith('\n')) {
    throw illegalArgument('The bulk request must be terminated by a newline [\\n]');
  }
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const writes: DocumentWrite[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const number = at + 1;
    const { action, index = defaultIndex, id } = readAction(lines[at] ?? '', number);
    if (index === undefined) throw illegalArgument(`index is missing on line [${number}]`);
    const source = action === 'delete' ? {} : readDocument(lines[(at += 1)], number + 1);
    writes.push(asWrite(action, index, id, source, number));
  }
  return writes;
}

/** Applies the actions one by one; a failure is told in its item and stops nothing. */
export function runBulk(cluster: Cluster, writes: readonly DocumentWrite[]) {
  const items = writes.map((write) => ({ [write.action]: runItem(cluster, write) }));
  const failed = items.some((item) => Object.values(item).some((result) => 'error' in result));
  return { errors: failed, items };
}

function runItem(cluster: Cluster, write: DocumentWrite): JsonObject {
  try {
    const { status, body } = writeDocument(cluster, write);
    return { ...body, status };
  } catch (error) {
    if (!(error instanceof SearchError)) throw error;
    const id = 'id' in write ? write.id : undefined;
    const cause = { type: error.type, reason: error.message, ...error.members };
    return { _index: write.index, _id: id ?? null, status: error.status, error: cause };
  }
}

interface Action {
  readonly action: DocumentWrite['action'];
  readonly index?: string | undefined;
  readonly id?: string | undefined;
}

function readAction(line: string, number: number): Action {
  const parsed = actionLine.safeParse(readJson(line));
  if (!parsed.success) throw illegalArgument(`Malformed action/metadata line [${number}]`);
  const { data } = parsed;
  const named = (action: Action['action'], { _index, _id }: z.infer<typeof target>): Action => ({
    action,
    index: _index,
    id: _id,
  });
  if ('index' in data) return named('index', data.index);
  if ('create' in data) return named('create', data.create);
  if ('update' in data) return named('update', data.update);
  return named('delete', data.delete);
}

function readDocument(line: string | undefined, number: number): JsonObject {
  const parsed = jsonObject.safeParse(readJson(line ?? ''));
  if (!parsed.success) throw illegalArgument(`Malformed document on line [${number}]`);
  return parsed.data;
}

function asWrite(
  action: Action['action'],
  index: string,
  id: string | undefined,
  source: JsonObject,
  line: number,
): DocumentWrite {
  if (action === 'index' || action === 'create') {
    return { action, index, source, ...(id === undefined ? {} : { id }) };
  }
  if (id === undefined) throw illegalArgument(`[${action}] needs an _id on line [${line}]`);
  if (action === 'delete') return { action, index, id };
  const change = z.strictObject({ doc: jsonObject }).safeParse(source);
  if (!change.success) throw illegalArgument(`[update] takes {"doc": {…}} on line [${line + 1}]`);
  return { action, index, id, change: change.data.doc };
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
