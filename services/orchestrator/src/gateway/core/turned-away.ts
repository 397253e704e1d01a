/**
 * Those who were turned away for want of room and told when to come back. Until then they wait like those inside, only
 * elsewhere: without them ten times the load would look like a full house and nothing more. Who comes back is counted
 * anew only after the old count has run out, so somebody who keeps trying is one who waits, not many.
 */
export interface TurnedAway {
  /** How many are due back in each tick to come. */
  readonly due: number[];
  tick: number;
  count: number;
}

const TICK_MS = 100;
/** Beyond a reporting period nobody is counted on to come back. */
const MOST_TICKS = 100;

export function newTurnedAway(): TurnedAway {
  return { due: new Array<number>(MOST_TICKS + 1).fill(0), tick: 0, count: 0 };
}

export function noteTurnedAway(away: TurnedAway, backInMs: number, nowMs: number): void {
  moveTo(away, nowMs);
  const ticks = Math.floor((nowMs + backInMs) / TICK_MS) - away.tick;
  const at = (away.tick + Math.min(MOST_TICKS, Math.max(1, ticks))) % away.due.length;
  away.due[at] = (away.due[at] ?? 0) + 1;
  away.count += 1;
}

/** How many have not come back yet. */
export function stillAway(away: TurnedAway, nowMs: number): number {
  moveTo(away, nowMs);
  return away.count;
}

function moveTo(away: TurnedAway, nowMs: number): void {
  const tick = Math.floor(nowMs / TICK_MS);
  const size = away.due.length;
  for (let passed = Math.max(away.tick + 1, tick - MOST_TICKS); passed <= tick; passed += 1) {
    away.count -= away.due[passed % size] ?? 0;
    away.due[passed % size] = 0;
  }
  away.tick = Math.max(away.tick, tick);
}
