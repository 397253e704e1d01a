import {
  CHAT_ALIASES,
  isResident,
  modelOfProfile,
  profileOf,
  targetName,
  type ModelCatalogue,
  type ModelTarget,
  type Residency,
} from '@matsuri/contract';

/** What a caller may use; `null` means anything. */
export interface TargetRules {
  /** Aliases and profile ids. An alias stands for all its targets, a profile id for those of that profile. */
  readonly allowedModels: readonly string[] | null;
  readonly residencies: readonly Residency[] | null;
}

export type TargetChoice =
  | { readonly kind: 'targets'; readonly targets: readonly ModelTarget[] }
  | {
      readonly kind: 'refused';
      readonly reason: 'model-not-found' | 'model-not-allowed' | 'residency-not-allowed';
    };

/** Every name a chat model can be asked by, and the places that serve it, most wanted first. */
export type TargetTable = ReadonlyMap<string, readonly ModelTarget[]>;

/**
 * An alias has the catalogue's order. A profile id means this profile and no other model: its regions, the one
 * the platform lives in first. Where we have no quota we do not call.
 */
export function targetTable(
  catalogue: ModelCatalogue,
  quotas: ReadonlyMap<string, unknown>,
  homeRegion: string,
): TargetTable {
  const hasQuota = (target: ModelTarget): boolean => quotas.has(targetName(target));
  const table = new Map<string, readonly ModelTarget[]>();
  for (const [profile, { callableFrom }] of Object.entries(catalogue.profiles)) {
    if (modelOfProfile(catalogue, profile)?.kind !== 'chat') continue;
    const targets = callableFrom
      .toSorted((a, b) => rank(a, homeRegion) - rank(b, homeRegion))
      .map((region) => ({ profile, region }))
      .filter(hasQuota);
    if (targets.length > 0) table.set(profile, targets);
  }
  for (const alias of CHAT_ALIASES) table.set(alias, catalogue.aliases[alias].filter(hasQuota));
  return table;
}

const rank = (region: string, homeRegion: string): number => (region === homeRegion ? 0 : 1);

/** The targets a caller's request may go to, in order. */
export function chooseTargets(
  table: TargetTable,
  catalogue: ModelCatalogue,
  model: string,
  rules: TargetRules,
): TargetChoice {
  const all = table.get(model);
  if (all === undefined) return { kind: 'refused', reason: 'model-not-found' };
  if (rules.allowedModels === null && rules.residencies === null) {
    return { kind: 'targets', targets: all };
  }
  const allowed = all.filter(({ profile }) => isAllowed(rules.allowedModels, model, profile));
  if (allowed.length === 0) return { kind: 'refused', reason: 'model-not-allowed' };
  const targets = allowed.filter(({ profile }) =>
    isResident(rules.residencies, profileOf(catalogue, profile)),
  );
  if (targets.length === 0) return { kind: 'refused', reason: 'residency-not-allowed' };
  return { kind: 'targets', targets };
}

function isAllowed(allowed: TargetRules['allowedModels'], model: string, profile: string): boolean {
  return allowed === null || allowed.includes(model) || allowed.includes(profile);
}

/** The names a caller may ask by, aliases first. */
export function namesFor(
  table: TargetTable,
  catalogue: ModelCatalogue,
  rules: TargetRules,
): readonly string[] {
  return [...table.keys()]
    .filter((name) => chooseTargets(table, catalogue, name, rules).kind === 'targets')
    .sort((a, b) => aliasRank(a) - aliasRank(b));
}

const aliasRank = (name: string): number =>
  (CHAT_ALIASES as readonly string[]).includes(name) ? 0 : 1;
