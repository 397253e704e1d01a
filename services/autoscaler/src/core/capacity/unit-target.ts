import type { ChatAlias, PlatformConfiguration } from '@matsuri/contract';
import type { ModelFigures } from '../plan';
import { servingUnitsAt, unitsAt } from '../planned';
import type { PurchaseCause } from '../snapshot';
import { figure, percent } from '../wording';

export interface UnitInput {
  readonly alias: ChatAlias;
  readonly figures: ModelFigures;
  /** What the on-demand quota carries, whether or not there are units. */
  readonly onDemandTokensPerSecond: number;
  readonly inServiceUnits: number;
  readonly throttles: number;
  readonly queueEmergency: boolean;
  readonly configuration: PlatformConfiguration;
  readonly nowMs: number;
}

export interface UnitTarget {
  readonly units: number;
  readonly cause: PurchaseCause;
  readonly reason: string;
}

/** Units to have: what the calendar, the demand or an emergency asks for, at most the cap. */
export function unitTarget(input: UnitInput): UnitTarget {
  const asks = [calendarAsk(input), demandAsk(input), throttleAsk(input), queueAsk(input)];
  const ask = asks.reduce((best, it) => (it.units > best.units ? it : best));
  const cap = input.configuration.provisioned.maxUnits[input.alias];
  return ask.units <= cap
    ? ask
    : { ...ask, units: cap, reason: `${ask.reason}, capped at ${cap} units` };
}

/** Fewer than this are never left by giving units back. A window of zero means on demand. */
export function unitsToKeep(input: UnitInput): number {
  const { alias, configuration, figures } = input;
  const calendar = calendarUnits(input);
  const floor = calendar === 0 ? 0 : configuration.autoscaler.scaleIn.unitsFloor[alias];
  return Math.max(calendar, floor, unitsForDemand(input, figures, calendar));
}

function calendarUnits({ alias, configuration, nowMs }: UnitInput): number {
  const { activationSeconds, maxUnits } = configuration.provisioned;
  // What has to serve when a purchase becomes active has to be bought now.
  const activeMs = nowMs + activationSeconds * 1_000;
  const units = Math.max(
    unitsAt(configuration, alias, nowMs),
    servingUnitsAt(configuration, alias, activeMs),
  );
  return Math.min(maxUnits[alias], units);
}

function calendarAsk(input: UnitInput): UnitTarget {
  const units = calendarUnits(input);
  return { units, cause: 'calendar', reason: `the calendar asks for ${units} units` };
}

function demandAsk(input: UnitInput): UnitTarget {
  const { figures, configuration } = input;
  const { utilisationPercent, preemptivePercent } = configuration.autoscaler.scaleOut;
  const { utilisation = 0, predictedUtilisation = 0 } = figures;
  const full = utilisation > utilisationPercent / 100;
  const soonFull = predictedUtilisation > preemptivePercent / 100;
  if (!full && !soonFull) return { units: 0, cause: 'demand', reason: 'demand fits' };

  const units = unitsForDemand(input, figures, calendarUnits(input) + input.inServiceUnits);
  const used = full ? `${percent(utilisation)} used` : `${percent(predictedUtilisation)} expected`;
  const of = figures.capacityIs === 'provisioned' ? 'the units' : 'the on-demand quota';
  const tokens = figure(
    Math.max(figures.tokensPerSecond ?? 0, figures.predictedTokensPerSecond ?? 0),
  );
  return {
    units,
    cause: 'demand',
    reason: `${used} of ${of}: ${tokens} tokens/s with headroom need ${units} units`,
  };
}

/** Units are the baseline; where there are none, only what on demand does not carry is bought. */
function unitsForDemand(
  { alias, configuration, onDemandTokensPerSecond }: UnitInput,
  { tokensPerSecond = 0, predictedTokensPerSecond = 0 }: ModelFigures,
  baselineUnits: number,
): number {
  const headroom = 1 + configuration.autoscaler.scaleOut.headroomPercent / 100;
  const required = Math.max(tokensPerSecond, predictedTokensPerSecond) * headroom;
  const elsewhere = baselineUnits === 0 ? onDemandTokensPerSecond : 0;
  const perUnit = configuration.provisioned.tokensPerSecondPerUnit[alias];
  return Math.max(0, Math.ceil((required - elsewhere) / perUnit));
}

function throttleAsk({ alias, throttles, inServiceUnits, configuration }: UnitInput): UnitTarget {
  const { emergency } = configuration.autoscaler;
  if (throttles < emergency.throttles) {
    return { units: 0, cause: 'demand', reason: 'no throttles' };
  }
  const { minimum, perThrottle } = emergency.unitsOnThrottle[alias];
  const more = Math.max(minimum, Math.floor(perThrottle * throttles));
  return {
    units: inServiceUnits + more,
    cause: 'demand',
    reason: `${figure(throttles)} throttles ask for ${more} units above the ${inServiceUnits} in service`,
  };
}

function queueAsk({ alias, queueEmergency, inServiceUnits, configuration }: UnitInput): UnitTarget {
  if (!queueEmergency) return { units: 0, cause: 'demand', reason: 'no queue' };
  const more = configuration.autoscaler.emergency.unitsOnQueue[alias];
  return {
    units: inServiceUnits + more,
    cause: 'demand',
    reason: `an emergency queue asks for ${more} units above the ${inServiceUnits} in service`,
  };
}
