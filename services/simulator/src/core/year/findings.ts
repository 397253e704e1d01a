import { CHAT_ALIASES, type ChatAlias, type PlatformConfiguration } from '@matsuri/contract';
import { violatingShare, type Shortage, type Spell } from './spell';
import type { YearOutcome } from './year-ledger';

/** Of the messages of any event, and of any day without one, at most so many may be late or refused. */
export const MOST_VIOLATED_SHARE = 0.01;
/** What a careful planner adds to what was needed. */
const HEADROOM = 1.25;

/** A promise that the configuration would break. */
export interface Finding {
  /** The event's name, or 'an ordinary day'. */
  readonly event: string;
  readonly firstMs: number;
  readonly times: number;
  readonly lastMs: number;
  readonly breaks: 'slo' | 'budget';
  /** The share of messages violated, or the dollars. */
  readonly figure: number;
  readonly why: string;
  readonly change: string;
}

/** What would break, worst first; the same cause of the same event is told once. */
export function findingsOf(
  outcome: YearOutcome,
  configuration: PlatformConfiguration,
): readonly Finding[] {
  const broken = outcome.spells.flatMap((spell) => [
    ...sloFindings(spell, configuration),
    ...hourFinding(spell, configuration),
  ]);
  return merged([...broken, ...dayFindings(outcome, configuration)]);
}

type Single = Omit<Finding, 'times' | 'lastMs'> & { readonly cause: string };

function sloFindings(spell: Spell, configuration: PlatformConfiguration): Single[] {
  if (violatingShare(spell) <= MOST_VIOLATED_SHARE) return [];
  const least = (MOST_VIOLATED_SHARE / 4) * spell.messages;
  const throttled = CHAT_ALIASES.flatMap((alias) => {
    const shortage = spell.shortage[alias];
    if (shortage === undefined || spell.throttled[alias] < least) return [];
    return [throttleFinding(spell, alias, shortage, configuration)];
  });
  const waited = spell.late + spell.dropped >= least ? [waitFinding(spell, configuration)] : [];
  return [...throttled, ...waited];
}

function throttleFinding(
  spell: Spell,
  alias: ChatAlias,
  { limit, asked, atMs }: Shortage,
  { models, quotas, provisioned }: PlatformConfiguration,
): Single {
  const have = quotas
    .filter((it) =>
      models.aliases[alias].some(
        (target) => target.profile === it.profile && target.region === it.region,
      ),
    )
    .reduce((sum, it) => sum + it[limit], 0);
  const what = limit === 'tokensPerMinute' ? 'tokens/min' : 'requests/min';
  const buy = provisioned.enabled
    ? `raise provisioned.maxUnits.${alias} or maxDollarsPerHour`
    : 'turn provisioned.enabled on';
  return {
    event: nameOf(spell),
    cause: `${alias} ${limit}`,
    firstMs: atMs,
    breaks: 'slo',
    figure: spell.throttled[alias] / spell.messages,
    why:
      `'${alias}' is asked for ${count(asked)} ${what}, its quotas add up to ${count(have)}, ` +
      'and mitigations do not take off the rest',
    change:
      `ask AWS for ${count(asked * HEADROOM)} ${what} over the targets of models.aliases.${alias} and write ` +
      `them into quotas, or ${buy}`,
  };
}

function waitFinding(spell: Spell, { scaling }: PlatformConfiguration): Single {
  const wanted = Math.ceil(spell.neededTasks * HEADROOM);
  const full = spell.tasksWhenLate >= scaling.maxTasks;
  const floor =
    spell.event === undefined
      ? 'raise the floor of scaling.schedule for that time'
      : `raise tasks of the event '${spell.event.event.name}' (now ${spell.event.event.tasks})`;
  return {
    event: nameOf(spell),
    cause: full ? 'maximum' : 'floor',
    firstMs: spell.lateAtMs ?? spell.startMs,
    breaks: 'slo',
    figure: (spell.late + spell.dropped) / spell.messages,
    why: full
      ? `it needs ${spell.neededTasks} tasks and the service stops at ${scaling.maxTasks}`
      : `it needs ${spell.neededTasks} tasks sooner than they can start; ${spell.tasksWhenLate} ran`,
    change: full ? `raise scaling.maxTasks to ${wanted}` : `${floor} to ${wanted}`,
  };
}

function hourFinding(spell: Spell, { spend }: PlatformConfiguration): Single[] {
  const { dearestHourDollars, dearestAtMs } = spell;
  if (dearestHourDollars <= spend.maxModelDollarsPerHour) return [];
  return [
    {
      event: nameOf(spell),
      cause: 'hour',
      firstMs: dearestAtMs,
      breaks: 'budget',
      figure: dearestHourDollars,
      why: `models cost $${count(dearestHourDollars)} an hour, the ceiling is $${count(spend.maxModelDollarsPerHour)}`,
      change: `raise spend.maxModelDollarsPerHour to ${count(dearestHourDollars * HEADROOM)}, or answer more from the cache`,
    },
  ];
}

function dayFindings({ daily }: YearOutcome, { spend }: PlatformConfiguration): Single[] {
  return daily
    .filter(({ dollars }) => dollars > spend.maxModelDollarsPerDay)
    .map(({ startMs, dollars, events }) => ({
      event: events.size === 0 ? ORDINARY : [...events].join(', '),
      cause: 'day',
      firstMs: startMs,
      breaks: 'budget',
      figure: dollars,
      why: `models cost $${count(dollars)} within 24 hours, the ceiling is $${count(spend.maxModelDollarsPerDay)}`,
      change: `raise spend.maxModelDollarsPerDay to ${count(dollars * HEADROOM)}, or answer more from the cache`,
    }));
}

const ORDINARY = 'an ordinary day';

function nameOf({ event }: Spell): string {
  return event?.event.name ?? ORDINARY;
}

function merged(all: readonly Single[]): readonly Finding[] {
  const groups = Map.groupBy(all, ({ event, cause }) => `${event}\n${cause}`);
  return [...groups.values()]
    .flatMap((group) => {
      const ordered = [...group].sort((a, b) => a.firstMs - b.firstMs);
      const worst = group.reduce((most, it) => (it.figure > most.figure ? it : most));
      const [first = worst] = ordered;
      const lastMs = ordered.at(-1)?.firstMs ?? first.firstMs;
      const { event, breaks, figure, why, change } = worst;
      const { firstMs } = first;
      return { event, breaks, figure, why, change, firstMs, lastMs, times: group.length };
    })
    .sort((a, b) => a.breaks.localeCompare(b.breaks) * -1 || b.figure - a.figure);
}

function count(value: number): string {
  return Math.ceil(value).toLocaleString('en');
}
