import { every } from '../clock/clock';
import type { Clock } from '../clock/clock';
import { afterCheck, deregistered, isDrained, newTarget, targetKey } from './core/target-health';
import type { HealthSettings, Target } from './core/target-health';
import { checkTarget } from './health-check';
import type { HealthCheck } from './health-check';

export interface TargetGroupSettings extends HealthSettings, HealthCheck {
  readonly name: string;
  readonly port: number;
  readonly intervalMs: number;
}

/** A target group, checking the health of what is registered in it. */
export interface TargetGroup {
  readonly arn: string;
  readonly settings: TargetGroupSettings;
  targets(): readonly Target[];
  /** Health is asked for on the port itself unless another is given. */
  register(id: string, port: number, healthPort?: number): void;
  /** Begins draining; a port left out means every port of that id. */
  deregister(id: string, port?: number): void;
  changeDeregistrationDelay(delayMs: number): void;
  /** Resolves when so many targets are healthy. */
  healthy(count: number): Promise<void>;
  /** Hears of targets that became unused: whatever they still hold is to be cut. */
  onUnused(listener: (target: Target) => void): void;
  stop(): void;
}

export const TARGET_GROUP_DEFAULTS: Omit<TargetGroupSettings, 'name'> = {
  port: 80,
  path: '/healthz',
  matcher: '200',
  timeoutRealMs: 2_000,
  intervalMs: 10_000,
  healthyThreshold: 2,
  unhealthyThreshold: 3,
  deregistrationDelayMs: 120_000,
};

const DRAIN_LOOK_MS = 500;

export function startTargetGroup(
  arn: string,
  initial: TargetGroupSettings,
  clock: Clock,
): TargetGroup {
  let settings = initial;
  const targets = new Map<string, Target>();
  const checking = new Set<string>();
  const listeners: ((target: Target) => void)[] = [];
  const awaited = new Set<() => void>();

  const check = async (key: string, target: Target): Promise<void> => {
    if (checking.has(key) || target.state === 'draining') return;
    checking.add(key);
    const outcome = await checkTarget(target, settings);
    checking.delete(key);
    const current = targets.get(key);
    if (current !== undefined)
      targets.set(key, afterCheck(current, outcome, settings, clock.nowMs()));
    for (const look of awaited) look();
  };

  const forgetDrained = (): void => {
    for (const [key, target] of targets) {
      if (!isDrained(target, clock.nowMs())) continue;
      targets.delete(key);
      for (const listener of listeners) listener(target);
    }
  };

  const stopChecking = new Map<string, () => void>();
  const startChecking = (key: string): void => {
    const stop = every(clock, settings.intervalMs, () => {
      const target = targets.get(key);
      if (target === undefined) {
        stop();
        stopChecking.delete(key);
      } else void check(key, target);
    });
    stopChecking.set(key, stop);
  };
  const stopForgetting = every(clock, DRAIN_LOOK_MS, forgetDrained);

  return {
    arn,
    get settings() {
      return settings;
    },
    targets: () => [...targets.values()],
    register(id, port, healthPort = port) {
      const target = newTarget(id, port, healthPort);
      const key = targetKey(target);
      const known = targets.get(key);
      if (known !== undefined && known.state !== 'draining') return;
      targets.set(key, target);
      if (!stopChecking.has(key)) startChecking(key);
    },
    deregister(id, port) {
      for (const [key, target] of targets) {
        if (target.id !== id || (port ?? target.port) !== target.port) continue;
        targets.set(key, deregistered(target, settings, clock.nowMs()));
      }
    },
    changeDeregistrationDelay(deregistrationDelayMs) {
      settings = { ...settings, deregistrationDelayMs };
    },
    healthy: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const healthy = [...targets.values()].filter(({ state }) => state === 'healthy');
          if (healthy.length < count) return;
          awaited.delete(look);
          resolve();
        };
        awaited.add(look);
        look();
      }),
    onUnused: (listener) => void listeners.push(listener),
    stop() {
      stopForgetting();
      for (const stop of stopChecking.values()) stop();
    },
  };
}
