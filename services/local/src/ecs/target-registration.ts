import { every } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { targetKey } from '../elastic-load-balancing/core/target-health';
import type { TargetGroup } from '../elastic-load-balancing/target-groups';

/** The load balancer as a task's lifecycle sees it. */
export interface TargetRegistration {
  register(port: number, healthPort?: number): void;
  /** Begins draining. */
  deregister(port: number): void;
  /** Resolves when the target has drained. */
  drained(port: number): Promise<void>;
}

/** Tasks all live on loopback; ports tell them apart. */
export const TASK_ADDRESS = '127.0.0.1';

const LOOK_MS = 500;

export function targetRegistration(
  group: TargetGroup,
  clock: Clock,
  signal: AbortSignal,
): TargetRegistration {
  const isGone = (port: number): boolean => {
    const key = targetKey({ id: TASK_ADDRESS, port });
    return !group.targets().some((target) => targetKey(target) === key);
  };
  return {
    register: (port, healthPort) => group.register(TASK_ADDRESS, port, healthPort),
    deregister: (port) => group.deregister(TASK_ADDRESS, port),
    drained: (port) =>
      new Promise((resolve) => {
        const stop = every(clock, LOOK_MS, () => {
          if (signal.aborted || isGone(port)) finish();
        });
        const finish = (): void => {
          stop();
          resolve();
        };
      }),
  };
}
