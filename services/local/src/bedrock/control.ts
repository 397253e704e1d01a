import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import { createCapacity, quotaRuleSchema } from './capacity';
import type { QuotaRuleOptions } from './capacity';
import { provisionedSchema } from './core/model-target';
import type { Provisioned, ProvisionedOptions } from './core/model-target';
import { DEFAULT_MODELS, modelSchema, pacingChoiceSchema, pacingOf } from './core/models';
import type { ModelOptions, PacingChoice } from './core/models';
import { scriptMixSchema, scriptRuleSchema } from './core/script-choice';
import type { ScriptMixOptions, ScriptRuleOptions } from './core/script-choice';
import { OK_SCRIPT } from './core/scripts';
import type { InvocationEvent } from './invocation-event';
import { createLedger } from './ledger';
import type { LedgerEntry, Overlap } from './ledger';
import { createPromptCacheStore } from './prompt-cache-store';
import { createScriptQueue } from './script-queue';
import type { World } from './world';

/** How the stand-in begins; most of it can be changed while it runs. */
export interface BedrockOptions {
  /** @default DEFAULT_MODELS */
  readonly models?: readonly ModelOptions[];
  /** @default none */
  readonly provisioned?: readonly ProvisionedOptions[];
  /** @default no limits */
  readonly quotas?: readonly QuotaRuleOptions[];
  /** @default 'realistic': each model its own */
  readonly pacing?: PacingChoice;
  /** Scripts drawn for calls that neither a header nor a rule speaks for. @default every call is 'ok' */
  readonly mix?: ScriptMixOptions;
  /** Tokens of text in every answer that no script says otherwise of. @default a few sentences */
  readonly answerTokens?: number;
  /** Entries the ledger keeps. @default 100,000 */
  readonly ledgerLimit?: number;
  /** @default the real time */
  readonly clock?: Clock;
  /** Told of every call once it is over, to publish AWS/Bedrock metrics from. */
  readonly onInvocation?: (event: InvocationEvent) => void;
}

/** What can be asked and changed while the stand-in runs, here and over `/_standin/…`. */
export interface BedrockControl {
  /** Every attempt so far, oldest first. */
  ledger(): readonly LedgerEntry[];
  /** How many calls overlapped, at most and now. */
  overlap(): Overlap;
  overlapByTarget(): Readonly<Record<string, Overlap>>;
  /** Lets the next calls that fit meet a script. */
  script(rule: ScriptRuleOptions): void;
  /** Draws scripts at random from now on; `undefined` stops it. */
  mix(mix: ScriptMixOptions | undefined): void;
  /** Replaces all quotas. */
  limit(quotas: readonly QuotaRuleOptions[]): void;
  /** Replaces all provisioned throughputs. */
  provision(list: readonly ProvisionedOptions[]): void;
  pace(pacing: PacingChoice): void;
  /** Forgets ledger, waiting scripts, mix and prompt cache; limits, capacity and pacing stay. */
  reset(): void;
}

const DEFAULT_LEDGER_LIMIT = 100_000;

/** Makes what calls share, and the handle that looks into it. */
export function createWorld(options: BedrockOptions): { world: World; control: BedrockControl } {
  const clock = options.clock ?? scaledClock();
  const nowMs = (): number => clock.nowMs();
  const models = (options.models ?? DEFAULT_MODELS).map((model) => modelSchema.parse(model));
  const provisioned = new Map<string, Provisioned>();
  let pacing = pacingChoiceSchema.parse(options.pacing ?? 'realistic');

  const world: World = {
    clock,
    offering: { models: new Map(models.map((model) => [model.id, model])), provisioned },
    capacity: createCapacity(nowMs, quotaRules.parse(options.quotas ?? [])),
    promptCache: createPromptCacheStore(nowMs),
    scripts: createScriptQueue(
      { ...OK_SCRIPT, tokens: options.answerTokens },
      options.mix && scriptMixSchema.parse(options.mix),
    ),
    ledger: createLedger(nowMs, options.ledgerLimit ?? DEFAULT_LEDGER_LIMIT),
    pacingOf: (model) => pacingOf(model, pacing),
    onInvocation: (event) => options.onInvocation?.(event),
  };

  const control: BedrockControl = {
    ledger: () => world.ledger.entries(),
    overlap: () => world.ledger.overlap(),
    overlapByTarget: () => world.ledger.overlapByTarget(),
    script: (rule) => world.scripts.add(scriptRuleSchema.parse(rule)),
    mix: (mix) => world.scripts.mix(mix && scriptMixSchema.parse(mix)),
    limit: (quotas) => world.capacity.limit(quotaRules.parse(quotas)),
    provision(list) {
      const parsed = z.array(provisionedSchema).parse(list);
      provisioned.clear();
      for (const item of parsed) provisioned.set(item.arn, item);
    },
    pace: (choice) => void (pacing = pacingChoiceSchema.parse(choice)),
    reset() {
      world.ledger.clear();
      world.scripts.clear();
      world.promptCache.clear();
    },
  };
  control.provision(options.provisioned ?? []);
  return { world, control };
}

const quotaRules = z.array(quotaRuleSchema);
