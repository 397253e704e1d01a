import {
  CHAT_ALIASES,
  taskDollarsPerHour,
  type ChatAlias,
  type PlatformConfiguration,
} from '@matsuri/contract';
import { isThrottled, type Passages } from './model-side';
import type { ProvisionedSet } from './provisioned-set';

const HOUR_SECONDS = 3_600;

/** What some time cost. */
export interface Costs {
  readonly taskHours: number;
  readonly unitHours: number;
  /** Minutes in which a model refused somebody. */
  readonly throttleMinutes: number;
  readonly dollars: { readonly tasks: number; readonly units: number; readonly tokens: number };
}

export interface BilledTime {
  readonly passages: Passages;
  /** How often what the passages speak of was really asked. */
  readonly times: number;
  readonly units: ProvisionedSet;
  /** Running and starting. */
  readonly tasks: number;
  readonly seconds: number;
}

/** Adds up what tasks, units and tokens cost. */
export class Bill {
  private readonly totals = { taskHours: 0, unitHours: 0, throttleMinutes: 0 };
  private readonly dollars = { tasks: 0, units: 0, tokens: 0 };
  private readonly taskDollars: number;

  constructor(private readonly configuration: PlatformConfiguration) {
    this.taskDollars = taskDollarsPerHour(configuration);
  }

  get costs(): Costs {
    return { ...this.totals, dollars: { ...this.dollars } };
  }

  /** Books some time; what the models' tokens cost by the hour. */
  book({ passages, times, units, tasks, seconds }: BilledTime): number {
    const hours = seconds / HOUR_SECONDS;
    this.totals.taskHours += tasks * hours;
    this.dollars.tasks += tasks * hours * this.taskDollars;
    if (isThrottled(passages)) this.totals.throttleMinutes += seconds / 60;
    for (const alias of CHAT_ALIASES) this.bookUnits(alias, units.paid(alias) * hours);
    const perHour = CHAT_ALIASES.reduce((sum, alias) => {
      const { asked, throttledShare, provisionedShare } = passages[alias];
      return sum + asked.dollarsPerHour * (1 - throttledShare) * (1 - provisionedShare);
    }, 0);
    this.dollars.tokens += perHour * times * hours;
    return perHour;
  }

  private bookUnits(alias: ChatAlias, unitHours: number): void {
    this.totals.unitHours += unitHours;
    this.dollars.units += unitHours * this.configuration.provisioned.dollarsPerUnitHour[alias];
  }
}

export function dollarsOf({ dollars }: Costs): number {
  return dollars.tasks + dollars.units + dollars.tokens;
}
