import { explain } from '../core';
import { SWITCHES, type SwitchName } from '../ports';
import type { Situation } from './situation';

const SWITCH_WORDS: Readonly<Record<SwitchName, string>> = {
  freezeScaleIn: 'scaling in is frozen',
  freezeScaleOut: 'scaling out is frozen',
  provisionedOff: 'provisioned throughput is switched off',
};

/** Why things are as they are, for somebody who was just woken up. */
export function describeSituation(situation: Situation): string {
  return [
    ...inForce(situation),
    ...lastDecision(situation),
    ...switchLines(situation),
    ...situation.silent.map((source) => `no answer from: ${source}`),
    '',
    'A cycle at this moment would decide:',
    '',
    explain(situation.decision.state, situation.decision.plan),
  ].join('\n');
}

/** The same for programs. */
export function situationAsJson({ nowMs, lease, kept, facts, decision, silent }: Situation) {
  const { limits, switches, snapshot } = facts;
  return {
    at: new Date(nowMs).toISOString(),
    inForce: { limits, tasks: snapshot.tasks },
    lease,
    lastDecision: kept.notes.decided,
    switches,
    unanswered: silent,
    plan: decision.plan,
  };
}

function inForce({ facts, lease }: Situation): readonly string[] {
  const { limits, snapshot } = facts;
  const floor = limits === undefined ? 'unknown' : `${limits.minCapacity}`;
  const of = limits === undefined ? '' : ` of at most ${limits.maxCapacity}`;
  const tasks =
    snapshot.tasks === undefined
      ? 'tasks unknown'
      : `${snapshot.tasks.desired} tasks desired, ${snapshot.tasks.running} running`;
  const holder =
    lease === undefined || lease.owner === ''
      ? 'no autoscaler holds the lease'
      : `${lease.owner} is active (epoch ${lease.epoch})`;
  return [`The floor in force is ${floor}${of}; ${tasks}; ${holder}.`];
}

function lastDecision({ kept, nowMs }: Situation): readonly string[] {
  const { decided } = kept.notes;
  if (decided === undefined) return ['No autoscaler has decided anything yet.'];
  const seconds = Math.max(0, Math.round((nowMs - decided.atMs) / 1_000));
  return [`${seconds} s ago it decided: ${decided.state}, ${decided.floorReason}.`];
}

function switchLines({ facts }: Situation): readonly string[] {
  return SWITCHES.flatMap((name) => {
    const note = facts.switches[name];
    if (note === undefined) return [];
    const since = new Date(note.atMs).toISOString();
    return [`${SWITCH_WORDS[name]} since ${since} by ${note.by}: ${note.reason}`];
  });
}
