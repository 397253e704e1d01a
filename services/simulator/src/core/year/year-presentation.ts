import type { Finding } from './findings';
import { violatingShare, type Spell } from './spell';
import type { YearOutcome } from './year-ledger';

const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
const whole = (value: number) => Math.round(value).toLocaleString('en');

/** `2026-11-27 00:00`, as a clock on the wall there shows it. */
function moment(atMs: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return format.format(atMs);
}

/** A finding as a sentence for whoever wants to promote a version tonight. */
export function findingText(finding: Finding, timeZone: string): string {
  const { event, firstMs, lastMs, times, breaks, figure, why, change } = finding;
  const often = times === 1 ? '' : `, ${times} times until ${moment(lastMs, timeZone)}`;
  const harm =
    breaks === 'slo'
      ? `${percent(figure)} of the messages would be late or refused`
      : `$${whole(figure)} would be spent`;
  return `${event}, ${moment(firstMs, timeZone)} ${timeZone}${often}: ${harm}\n  why:    ${why}\n  change: ${change}`;
}

/** Events of the calendar and ordinary days, each by its hardest, hardest first. */
export function spellRows(outcome: YearOutcome, timeZone: string) {
  const groups = Map.groupBy(outcome.spells, (it) => it.event?.event.name ?? 'an ordinary day');
  return [...groups]
    .flatMap(([event, spells]) => {
      const spell = hardest(spells);
      return spell === undefined ? [] : [{ event, spell, times: spells.length }];
    })
    .sort((a, b) => violatingShare(b.spell) - violatingShare(a.spell))
    .map(({ event, spell, times }) => ({
      event,
      times: String(times),
      hardest: moment(spell.startMs, timeZone),
      messages: whole(spell.messages),
      violated: percent(violatingShare(spell)),
      throttled: percent((spell.throttled.complex + spell.throttled.simple) / spell.messages),
      'tasks needed': String(spell.neededTasks),
      'models $/h at most': whole(spell.dearestHourDollars),
      'models $': whole(spell.modelDollars),
    }));
}

function hardest(spells: readonly Spell[]): Spell | undefined {
  return [...spells].sort(
    (a, b) => violatingShare(b) - violatingShare(a) || b.messages - a.messages,
  )[0];
}

export function totalRow(outcome: YearOutcome) {
  const { dollars, days, messages, taskHours, unitHours, throttleMinutes } = outcome;
  return {
    days: String(days),
    messages: whole(messages),
    'task-hours': whole(taskHours),
    'unit-hours': whole(unitHours),
    'throttle minutes': whole(throttleMinutes),
    'tasks $': whole(dollars.tasks),
    'units $': whole(dollars.units),
    'tokens $': whole(dollars.tokens),
    'moves/h': (outcome.operations / (days * 24)).toFixed(1),
  };
}

export function yearFigures(
  outcome: YearOutcome,
  findings: readonly Finding[],
  startupSeconds: number,
) {
  const { dollars, days, messages, taskHours, unitHours, throttleMinutes } = outcome;
  return {
    days,
    startup_s: startupSeconds,
    messages,
    task_hours: taskHours,
    unit_hours: unitHours,
    throttle_minutes: throttleMinutes,
    task_dollars: dollars.tasks,
    unit_dollars: dollars.units,
    token_dollars: dollars.tokens,
    ops_per_hour: outcome.operations / (days * 24),
    findings: findings.map((it) => ({
      event: it.event,
      first_at: new Date(it.firstMs).toISOString(),
      last_at: new Date(it.lastMs).toISOString(),
      times: it.times,
      breaks: it.breaks,
      figure: it.figure,
      why: it.why,
      change: it.change,
    })),
  };
}
