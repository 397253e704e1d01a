/** The paths of one operation on one model: as it is sent, and as it is signed. */
export interface ModelPath {
  readonly sent: string;
  readonly canonical: string;
}

export type Operation = 'converse' | 'converse-stream' | 'invoke';

// Model ids come from configuration, ARNs of bought capacity from a set that changes now and then.
const MOST_PATHS_KEPT = 1_000;

/** Makes the paths below an endpoint, each once. */
export function createModelPaths(
  basePath: string,
): (modelId: string, operation: Operation) => ModelPath {
  const paths = new Map<string, ModelPath>();
  return (modelId, operation) => {
    const key = `${operation} ${modelId}`;
    let path = paths.get(key);
    if (!path) {
      const sent = `${basePath}/model/${escapeUri(modelId)}/${operation}`;
      path = { sent, canonical: canonicalPath(sent) };
      if (paths.size >= MOST_PATHS_KEPT) paths.clear();
      paths.set(key, path);
    }
    return path;
  };
}

/** SigV4 escapes a path that is escaped already once more, but for its slashes. */
function canonicalPath(path: string): string {
  return escapeUri(path).replaceAll('%2F', '/');
}

/** Everything but letters, digits and `-_.~`, as RFC 3986 and AWS escape it. */
function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
