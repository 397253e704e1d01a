import {
  CHAT_ALIASES,
  modelOfProfile,
  type AliasDemand,
  type ChatAlias,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { RequestSize } from '../traffic/request-sizes';

/** What is asked of the models of each alias. */
export type ModelDemand = Readonly<Record<ChatAlias, AliasDemand>>;

export const NO_DEMAND: AliasDemand = {
  requestsPerMinute: 0,
  tokensPerSecond: 0,
  tokensPerMinute: 0,
  dollarsPerHour: 0,
};

export const NOTHING_ASKED: ModelDemand = { complex: NO_DEMAND, simple: NO_DEMAND };

/** The same, so many times. */
export function timesDemand({ complex, simple }: ModelDemand, factor: number): ModelDemand {
  return { complex: scaledDemand(complex, factor), simple: scaledDemand(simple, factor) };
}

export function scaledDemand(demand: AliasDemand, factor: number): AliasDemand {
  return {
    requestsPerMinute: demand.requestsPerMinute * factor,
    tokensPerSecond: demand.tokensPerSecond * factor,
    tokensPerMinute: demand.tokensPerMinute * factor,
    dollarsPerHour: demand.dollarsPerHour * factor,
  };
}

export function summedDemand(a: AliasDemand, b: AliasDemand): AliasDemand {
  return {
    requestsPerMinute: a.requestsPerMinute + b.requestsPerMinute,
    tokensPerSecond: a.tokensPerSecond + b.tokensPerSecond,
    tokensPerMinute: a.tokensPerMinute + b.tokensPerMinute,
    dollarsPerHour: a.dollarsPerHour + b.dollarsPerHour,
  };
}

/** Of all aliases together. */
export function callsPerSecond(demand: ModelDemand): number {
  return CHAT_ALIASES.reduce((sum, alias) => sum + demand[alias].requestsPerMinute, 0) / 60;
}

/**
 * One call a second of traffic of which only the sizes are known: the configured share of it goes to the complex
 * models, and is of the same size as the rest.
 */
export function demandOfSize(
  { inputTokens, outputTokens }: RequestSize,
  { models, traffic }: PlatformConfiguration,
): ModelDemand {
  const complex = traffic.complexSharePercent / 100;
  const of = (alias: ChatAlias, callsPerSecond: number): AliasDemand => {
    const profile = models.aliases[alias][0]?.profile ?? '';
    const price = models.profiles[profile]?.dollarsPerMillionTokens;
    const burndown = modelOfProfile(models, profile)?.outputBurndown ?? 1;
    const input = callsPerSecond * inputTokens;
    const output = callsPerSecond * outputTokens;
    return {
      requestsPerMinute: callsPerSecond * 60,
      tokensPerSecond: input + output,
      tokensPerMinute: (input + output * burndown) * 60,
      dollarsPerHour:
        ((input * (price?.input ?? 0) + output * (price?.output ?? 0)) * 3_600) / 1_000_000,
    };
  };
  return { complex: of('complex', complex), simple: of('simple', 1 - complex) };
}
