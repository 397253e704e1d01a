import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import type { FleetView } from '../platform/fleet';
import type { Flow } from './fluid-queue';
import type { Passage } from './model-door';
import type { ProvisionedSet } from './provisioned-set';
import { newSpell, noteShortage, type Spell } from './spell';
import { TASK_DOLLARS_PER_HOUR } from './task-price';
import { requestsPerSecond, type Asked } from './year-traffic';

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3_600;

/** What the models cost within 24 hours, and which events they served. */
export interface Day {
  readonly startMs: number;
  dollars: number;
  readonly events: Set<string>;
}

/** What a long time cost and whom it failed. */
export interface YearOutcome {
  readonly spells: readonly Spell[];
  readonly days: number;
  readonly messages: number;
  readonly taskHours: number;
  readonly unitHours: number;
  readonly throttleMinutes: number;
  readonly dollars: { readonly tasks: number; readonly units: number; readonly tokens: number };
  readonly operations: number;
  readonly daily: readonly Day[];
}

export interface Step {
  readonly asked: Asked;
  readonly passages: Readonly<Record<ChatAlias, Passage>>;
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
  private readonly totals = { messages: 0, taskHours: 0, unitHours: 0, throttleMinutes: 0 };
  private readonly dollars = { tasks: 0, units: 0, tokens: 0 };

  constructor(
    private readonly configuration: PlatformConfiguration,
    private readonly fromMs: number,
  ) {}

  outcome(days: number, operations: number): YearOutcome {
    const spells = [...this.spells.values()];
    const { daily, totals, dollars } = this;
    return { ...totals, days, operations, spells, daily, dollars: { ...dollars } };
  }

  book(step: Step): void {
    const spell = this.spellAt(step);
    this.bookMessages(spell, step);
    const modelDollarsPerHour = CHAT_ALIASES.reduce(
      (sum, alias) => sum + this.bookAlias(spell, alias, step),
      0,
    );
    this.bookDollars(spell, modelDollarsPerHour, step);
  }

  private bookMessages(spell: Spell, { asked, flow, neededTasks, fleet, ...step }: Step): void {
    const messages = requestsPerSecond(asked) * step.luck * step.seconds;
    this.totals.messages += messages;
    spell.messages += messages;
    spell.late += flow.late;
    spell.dropped += flow.dropped;
    spell.neededTasks = Math.max(spell.neededTasks, Math.ceil(neededTasks));
    if (flow.late === 0) return;
    spell.lateAtMs ??= step.atMs;
    spell.tasksWhenLate = Math.max(spell.tasksWhenLate, fleet.running);
  }

  /** What the alias' tokens cost by the hour. */
  private bookAlias(spell: Spell, alias: ChatAlias, step: Step): number {
    const passage = step.passages[alias];
    const { asked, throttledShare, provisionedShare } = passage;
    spell.throttled[alias] +=
      (asked.requestsPerMinute / 60) * step.luck * step.seconds * throttledShare;
    noteShortage(spell, alias, passage, step.atMs);
    const unitHours = (step.units.paid(alias) * step.seconds) / HOUR_SECONDS;
    this.totals.unitHours += unitHours;
    this.dollars.units += unitHours * this.configuration.provisioned.dollarsPerUnitHour[alias];
    return asked.dollarsPerHour * (1 - throttledShare) * (1 - provisionedShare);
  }

  private bookDollars(spell: Spell, modelDollarsPerHour: number, step: Step): void {
    const hours = step.seconds / HOUR_SECONDS;
    const throttled = CHAT_ALIASES.some((alias) => step.passages[alias].throttledShare > 0);
    this.totals.throttleMinutes += throttled ? hours * 60 : 0;
    this.totals.taskHours += step.fleet.desired * hours;
    this.dollars.tasks += step.fleet.desired * TASK_DOLLARS_PER_HOUR * hours;
    this.dollars.tokens += modelDollarsPerHour * hours;
    const day = this.dayAt(step.atMs);
    day.dollars += modelDollarsPerHour * hours;
    if (spell.event !== undefined) day.events.add(spell.event.event.name);
    spell.modelDollars += modelDollarsPerHour * hours;
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
