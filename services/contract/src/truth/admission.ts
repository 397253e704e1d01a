import type { PlatformConfiguration } from '../configuration/platform';
import { modelOfProfile } from '../models/pricing';
import { CHAT_ALIASES } from '../models/model-schema';
import { error, figure, type Contradiction } from './contradiction';

/** Slots, sockets and the waiting room agree with each other. */
export function admission(configuration: PlatformConfiguration): readonly Contradiction[] {
  return [
    ...slotsInFlight(configuration),
    ...socketsForSlots(configuration),
    ...outputFitsModels(configuration),
    ...bigEnoughBurst(configuration),
  ];
}

function slotsInFlight({ gateway }: PlatformConfiguration): Contradiction[] {
  if (gateway.slotsPerTask < gateway.inFlightPerTask) return [];
  return [
    error(
      'slots-over-in-flight',
      `gateway.slotsPerTask (${gateway.slotsPerTask}) is not below gateway.inFlightPerTask (${gateway.inFlightPerTask}): ` +
        'nobody can ever wait, so the queue that scaling watches is always empty.',
      `Raise gateway.inFlightPerTask above ${gateway.slotsPerTask}.`,
    ),
  ];
}

function socketsForSlots({ gateway, pools }: PlatformConfiguration): Contradiction[] {
  const sockets = pools.perTask.bedrock.maxConnections;
  if (sockets > gateway.slotsPerTask) return [];
  return [
    error(
      'slots-over-sockets',
      `A task runs ${gateway.slotsPerTask} calls at once but has ${sockets} sockets to Bedrock: calls that hold a slot wait ` +
        'for a socket, unseen by the queue depth, and embeddings have none.',
      `Raise pools.perTask.bedrock.maxConnections above ${gateway.slotsPerTask}, or lower gateway.slotsPerTask.`,
    ),
  ];
}

function outputFitsModels({ gateway, models }: PlatformConfiguration): Contradiction[] {
  return CHAT_ALIASES.flatMap((alias) => models.aliases[alias])
    .map((target) => ({ target, model: modelOfProfile(models, target.profile) }))
    .filter(({ model }) => model !== undefined && model.maxOutputTokens < gateway.defaultMaxTokens)
    .map(({ target, model }) =>
      error(
        'max-tokens-over-model',
        `gateway.defaultMaxTokens is ${figure(gateway.defaultMaxTokens)}, but '${target.profile}' writes at most ` +
          `${figure(model?.maxOutputTokens ?? 0)}: every call without max_tokens is refused by Bedrock.`,
        `Lower gateway.defaultMaxTokens to ${figure(model?.maxOutputTokens ?? 0)}.`,
      ),
    );
}

/** A burst that no minute's quota can carry would be granted and then throttled. */
function bigEnoughBurst({ gateway, quotas }: PlatformConfiguration): Contradiction[] {
  return quotas
    .filter((quota) => quota.requestsPerMinute < gateway.burstRequests)
    .map((quota) =>
      error(
        'burst-over-quota',
        `gateway.burstRequests is ${gateway.burstRequests}, but ${quota.profile}@${quota.region} allows ` +
          `${quota.requestsPerMinute} requests in a whole minute: one burst overshoots it.`,
        `Lower gateway.burstRequests to at most ${quota.requestsPerMinute}.`,
      ),
    );
}
