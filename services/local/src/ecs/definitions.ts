import { taskDefinition } from './core/task-definition';
import type { TaskDefinition, TaskDefinitionOptions } from './core/task-definition';

/** Task definitions by family, revisions ascending. */
export interface DefinitionBook {
  register(options: TaskDefinitionOptions): TaskDefinition;
  /** By family, `family:revision` or ARN; a family alone means its latest revision. */
  find(reference: string): TaskDefinition | undefined;
}

export function definitionBook(initial: readonly TaskDefinitionOptions[]): DefinitionBook {
  const revisions = new Map<string, TaskDefinition[]>();

  const register = (options: TaskDefinitionOptions): TaskDefinition => {
    const known = revisions.get(options.family) ?? [];
    const definition = taskDefinition(options, known.length + 1);
    revisions.set(options.family, [...known, definition]);
    return definition;
  };
  initial.forEach(register);

  return {
    register,
    find(reference) {
      const [family = '', revision] = reference.slice(reference.indexOf('/') + 1).split(':');
      const known = revisions.get(family);
      return revision === undefined ? known?.at(-1) : known?.[Number(revision) - 1];
    },
  };
}
