import { assertTrue, configure } from '@matsuri/contract';
import type { Contradiction, PlatformConfiguration } from '@matsuri/contract';

import { ENVIRONMENTS } from './environments';
import type { EnvironmentChoices } from './environments';

/** An environment whose figures were found to agree with each other. */
export interface Environment extends Omit<EnvironmentChoices, 'platform'> {
  readonly name: string;
  readonly platform: PlatformConfiguration;
  /** What is accepted, or will stop being true soon. */
  readonly warnings: readonly Contradiction[];
}

/** The environment of that name; throws with the fix when it is unknown or contradicts itself. */
export function environmentNamed(name: string, nowMs: number): Environment {
  const all: Readonly<Record<string, EnvironmentChoices>> = ENVIRONMENTS;
  const choices = Object.hasOwn(all, name) ? all[name] : undefined;
  if (choices === undefined) {
    const names = Object.keys(all).join(', ');
    throw new Error(`There is no environment '${name}'. Choose one with -c env=<name>: ${names}.`);
  }
  const platform = configure(choices.platform);
  return { ...choices, name, platform, warnings: assertTrue(platform, nowMs) };
}
