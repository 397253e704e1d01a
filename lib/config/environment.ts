import { assertTrue, configure } from '@matsuri/contract';
import type { Contradiction, PlatformConfiguration } from '@matsuri/contract';

import { ENVIRONMENTS } from './environments';
import type { EnvironmentChoices } from './environments';

/** An environment whose figures were found to agree with each other. */
export interface Environment extends Omit<EnvironmentChoices, 'platform'> {
  readonly name: string;
  readonly platform: PlatformConfiguration;
  /** What was chosen, as every program is told it. */
  readonly overrides: EnvironmentChoices['platform'];
  /** Whose pages may call. */
  readonly origins: readonly string[];
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
  return environmentOf(name, choices, nowMs);
}

/** Checks choices as a whole; throws one error that lists every contradiction with its fix. */
export function environmentOf(
  name: string,
  choices: EnvironmentChoices,
  nowMs: number,
): Environment {
  requireDomain(name, choices);
  const platform = configure(choices.platform);
  return {
    ...choices,
    name,
    platform,
    overrides: choices.platform,
    origins: [
      ...(choices.domain ? [`https://${choices.domain.name}`] : []),
      ...choices.extraOrigins,
    ],
    warnings: [...assertTrue(platform, nowMs), ...placeholders(choices)],
  };
}

/** Whether the domain is still the one that the repository ships with, which belongs to nobody. */
export function hasPlaceholderDomain({ domain }: Pick<EnvironmentChoices, 'domain'>): boolean {
  return domain?.name.endsWith('.example.com') ?? false;
}

function requireDomain(name: string, { keepsData, domain }: EnvironmentChoices): void {
  if (!keepsData || domain !== undefined) return;
  throw new Error(
    `Environment '${name}' keeps data but has no domain: users would talk to a name that changes with the ` +
      'distribution, and CloudFront to the load balancer in the clear.\n' +
      `  Fix: add domain { name, edgeCertificateArn, originCertificateArn } to '${name}' in lib/config/environments.ts.`,
  );
}

function placeholders(choices: EnvironmentChoices): Contradiction[] {
  if (!hasPlaceholderDomain(choices)) return [];
  return [
    {
      id: 'placeholder-domain',
      severity: 'warning',
      message: `${String(choices.domain?.name)} is a placeholder: the templates are right, but cannot be deployed.`,
      fix: 'Write your domain and its two certificates into lib/config/environments.ts (docs/deploy.md, step 2).',
    },
  ];
}
