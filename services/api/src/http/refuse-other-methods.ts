import type { Api } from '../api';
import { ProblemError } from '../problem-error';

/** Every documented path says which methods it knows, instead of pretending not to exist. */
export function refuseOtherMethods(api: Api): void {
  for (const [path, methods] of methodsByPath(api)) {
    api.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {
      throw new ProblemError('method-not-allowed', undefined, { allow: methods });
    });
  }
}

function methodsByPath(api: Api): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const definition of api.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const { path, method } = definition.route;
    found.set(path, [...(found.get(path) ?? []), method.toUpperCase()]);
  }
  return found;
}
