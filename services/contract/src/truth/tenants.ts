import type { PlatformConfiguration } from '../configuration/platform';
import { isResident } from '../configuration/tenants';
import { CHAT_ALIASES, MODEL_ALIASES, type ModelAlias } from '../models/model-schema';
import { profileOf } from '../models/pricing';
import { error, warning, type Contradiction } from './contradiction';

/** A tenant's allow-list of residencies leaves every alias a target, and chat somewhere to fail over to. */
export function tenantResidencies(configuration: PlatformConfiguration): readonly Contradiction[] {
  return Object.entries(configuration.tenants).flatMap(([tenant, { residencies }]) => {
    if (residencies === undefined) return [];
    const allowed = residencies.join(', ');
    const targetsOf = (alias: ModelAlias) =>
      configuration.models.aliases[alias].filter(({ profile }) =>
        isResident(residencies, profileOf(configuration.models, profile)),
      );
    return [
      ...MODEL_ALIASES.filter((alias) => targetsOf(alias).length === 0).map((alias) =>
        error(
          'tenant-without-target',
          `The tenant '${tenant}' may only be served in: ${allowed}. No target of the alias '${alias}' is: every such call would be refused.`,
          `Add a target with one of these residencies to models.aliases.${alias}, or widen tenants['${tenant}'].residencies.`,
        ),
      ),
      ...CHAT_ALIASES.filter((alias) => targetsOf(alias).length === 1).map((alias) =>
        warning(
          'tenant-without-failover',
          `The tenant '${tenant}' may only be served in: ${allowed}. One target of the alias '${alias}' is left: when it fails there is nobody else to ask.`,
          `Add a second target with one of these residencies to models.aliases.${alias}.`,
        ),
      ),
    ];
  });
}
