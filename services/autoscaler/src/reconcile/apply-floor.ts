import type { Plan } from '../core';
import type { ChatService, FloorTarget } from '../ports';
import type { Facts } from '../reading/read-facts';
import type { Effects } from './effects';

export interface FloorWorld {
  readonly service: ChatService;
  readonly target: FloorTarget;
}

/** Makes the planned floor true: the switch that undoes it first, then the floor, then the nudge. */
export async function applyFloor(
  world: FloorWorld,
  plan: Plan,
  { limits, snapshot }: Facts,
  effects: Effects,
): Promise<void> {
  const { tasks } = plan;
  const floor = Math.min(tasks.floor, limits?.maxCapacity ?? tasks.floor);
  const inForce = limits?.minCapacity;
  const { reason } = tasks;

  // Unless it is above what AWS would return to, there is nothing to undo.
  if (floor > tasks.returnsTo) {
    const isNew = inForce === undefined || inForce <= tasks.returnsTo;
    await effects.attempt({
      what: 'let AWS return the floor',
      reason: 'nobody may be left to lower it',
      fields: { at: new Date(tasks.expiresAtMs).toISOString(), to: tasks.returnsTo },
      routine: !isNew,
      run: () => world.target.returnAt(tasks.expiresAtMs, tasks.returnsTo),
    });
  }

  const moved = moveOf(floor, inForce, plan, snapshot.freeze.scaleIn);
  if (moved !== undefined) {
    const done = await effects.attempt({
      what: `${moved} the floor`,
      reason,
      fields: { from: inForce, to: floor },
      moves: true,
      run: () => world.target.setFloor(floor),
    });
    if (!done) return;
  }

  const nudgeTo = tasks.nudgeDesiredTo;
  if (nudgeTo === undefined) return;
  await effects.attempt({
    what: 'lower the desired count once',
    reason,
    fields: { from: snapshot.tasks?.desired, to: nudgeTo },
    moves: true,
    run: () => world.service.setDesired(Math.max(nudgeTo, floor)),
  });
}

/** Up whenever it is lower than planned, whoever lowered it; down only where shrinking is allowed at all. */
function moveOf(
  floor: number,
  inForce: number | undefined,
  { tasks, telemetry }: Plan,
  frozenIn: boolean,
): 'raise' | 'lower' | undefined {
  if (inForce === undefined) return tasks.change === 'raise' ? 'raise' : undefined;
  if (floor > inForce) return 'raise';
  return floor < inForce && !frozenIn && telemetry.complete ? 'lower' : undefined;
}
