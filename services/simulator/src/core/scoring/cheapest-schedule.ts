/** What tasks cost, by the block. */
export interface ScheduleCosts {
  /** Cost of one task running through one block. */
  readonly perBlock: number;
  /** Cost of starting one task. */
  readonly perStart: number;
}

/**
 * The cheapest number of tasks for each block that is never below what the block needs, knowing all that
 * comes. A dynamic programme over (block, tasks): giving a task back is free, starting one is not.
 */
export function cheapestSchedule(needed: Uint16Array, costs: ScheduleCosts): Uint16Array {
  const states = needed.reduce((highest, it) => Math.max(highest, it), 0) + 1;
  const cameFrom = new Uint16Array(needed.length * states);
  // The fleet before the first block is free: every run begins with tasks that somebody else started.
  let cost = new Float64Array(states);
  needed.forEach((least, block) => {
    const predecessors = cameFrom.subarray(block * states, (block + 1) * states);
    cost = costsAfterBlock(cost, least, costs, predecessors);
  });
  return walkBack(cost, cameFrom, needed.length);
}

/** Cheapest way into each state: from the same or a higher one for free, from a lower one by starting. */
function costsAfterBlock(
  before: Float64Array,
  least: number,
  costs: ScheduleCosts,
  cameFrom: Uint16Array,
): Float64Array<ArrayBuffer> {
  const states = before.length;
  const after = new Float64Array(states).fill(Number.POSITIVE_INFINITY);
  let best = { from: states - 1, cost: Number.POSITIVE_INFINITY };
  for (let tasks = states - 1; tasks >= 0; tasks -= 1) {
    if ((before[tasks] ?? 0) <= best.cost) best = { from: tasks, cost: before[tasks] ?? 0 };
    after[tasks] = best.cost;
    cameFrom[tasks] = best.from;
  }
  best = { from: 0, cost: Number.POSITIVE_INFINITY };
  for (let tasks = 0; tasks < states; tasks += 1) {
    best.cost += costs.perStart;
    if ((before[tasks] ?? 0) <= best.cost) best = { from: tasks, cost: before[tasks] ?? 0 };
    if (best.cost < (after[tasks] ?? 0)) {
      after[tasks] = best.cost;
      cameFrom[tasks] = best.from;
    }
    after[tasks] =
      tasks < least ? Number.POSITIVE_INFINITY : (after[tasks] ?? 0) + tasks * costs.perBlock;
  }
  return after;
}

function walkBack(cost: Float64Array, cameFrom: Uint16Array, blocks: number): Uint16Array {
  const states = cost.length;
  const schedule = new Uint16Array(blocks);
  let tasks = cost.reduce((best, it, state) => (it < (cost[best] ?? 0) ? state : best), 0);
  for (let block = blocks - 1; block >= 0; block -= 1) {
    schedule[block] = tasks;
    tasks = cameFrom[block * states + tasks] ?? 0;
  }
  return schedule;
}
