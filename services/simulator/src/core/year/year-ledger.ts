import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import { Bill, type Costs } from '../models/bill';
import { callsPerSecond } from '../models/model-demand';
import type { Passages } from '../models/model-side';
import type { ProvisionedSet } from '../models/provisioned-set';
import type { FleetView } from '../platform/fleet';
import type { Asked } from '../traffic/year-traffic';
import type { Flow } from './fluid-queue';
import { newSpell, noteShortage, type Spell } from './spell';

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;

/** What the models cost within 24 hours, and which events they served. */
export interface Day {
  readonly startMs: number;
  dollars: number;
  readonly events: Set<string>;
}

/** What a long time cost and whom it failed. */
export interface YearOutcome extends Costs {
  readonly spells: readonly Spell[];
  readonly days: number;
  readonly messages: number;
  readonly operations: number;
  readonly daily: readonly Day[];
}

export interface Step {
  readonly asked: Asked;
  readonly passages: Passages;
  readonly flow: Flow;
  readonly neededTasks: number;
  readonly fleet: FleetView;
  readonly units: ProvisionedSet;
  readonly atMs: number;
  readonly seconds: number;
  /** How many came, over how many were expected. */
  readonly luck: number;
}

/** Adds up, for each event and each day without one. */
export class YearLedger {
  private readonly spells = new Map<string, Spell>();
  private readonly daily: Day[] = [];
  private messages = 0;
  private readonly bill: Bill;

  constructor(
    configuration: PlatformConfiguration,
    private readonly fromMs: number,
  ) {
    this.bill = new Bill(configuration);
  }

  outcome(days: number, operations: number): YearOutcome {
    const spells = [...this.spells.values()];
    const { daily, messages } = this;
    return { ...this.bill.costs, days, operations, spells, daily, messages };
  }

  book(step: Step): void {
    const spell = this.spellAt(step);
    this.bookMessages(spell, step);
    for (const alias of CHAT_ALIASES) bookThrottles(spell, alias, step);
    const { passages, units, fleet, seconds } = step;
    // Spells and days are judged by what is to be expected, not by the luck of a step.
    const perHour = this.bill.book({ passages, units, tasks: fleet.desired, seconds, times: 1 });
    this.bookDollars(spell, perHour, step);
  }

  private bookMessages(spell: Spell, { asked, flow, neededTasks, fleet, ...step }: Step): void {
    const messages = callsPerSecond(asked.byAlias) * step.luck * step.seconds;
    this.messages += messages;
    spell.messages += messages;
    spell.late += flow.late;
    spell.dropped += flow.dropped;
    spell.neededTasks = Math.max(spell.neededTasks, Math.ceil(neededTasks));
    if (flow.late === 0) return;
    spell.lateAtMs ??= step.atMs;
    spell.tasksWhenLate = Math.max(spell.tasksWhenLate, fleet.running);
  }

  private bookDollars(spell: Spell, modelDollarsPerHour: number, step: Step): void {
    const dollars = (modelDollarsPerHour * step.seconds) / HOUR_SECONDS;
    const day = this.dayAt(step.atMs);
    day.dollars += dollars;
    if (spell.event !== undefined) day.events.add(spell.event.event.name);
    spell.modelDollars += dollars;
    if (modelDollarsPerHour <= spell.dearestHourDollars) return;
    spell.dearestHourDollars = modelDollarsPerHour;
    spell.dearestAtMs = step.atMs;
  }

  private dayAt(atMs: number): Day {
    const index = Math.floor((atMs - this.fromMs) / DAY_MS);
    const known = this.daily[index];
    if (known !== undefined) return known;
    const made = { startMs: this.fromMs + index * DAY_MS, dollars: 0, events: new Set<string>() };
    this.daily[index] = made;
    return made;
  }

  private spellAt({ asked: { event }, atMs }: Step): Spell {
    const day = Math.floor((atMs - this.fromMs) / DAY_MS);
    const key = event === undefined ? `day ${day}` : `${event.event.name} ${event.startMs}`;
    const known = this.spells.get(key);
    if (known !== undefined) return known;
    const made = newSpell(event, event?.startMs ?? atMs);
    this.spells.set(key, made);
    return made;
  }
}

function bookThrottles(spell: Spell, alias: ChatAlias, step: Step): void {
  const passage = step.passages[alias];
  const { asked, throttledShare } = passage;
  const calls = (asked.requestsPerMinute / 60) * step.luck * step.seconds;
  spell.throttled[alias] += calls * throttledShare;
  noteShortage(spell, alias, passage, step.atMs);
}
