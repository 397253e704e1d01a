/**
 * One registered target and what the load balancer thinks of it.
 *
 *   initial ──first good check──► healthy ◄──healthyThreshold good── unhealthy
 *      └────────────── unhealthyThreshold bad ──────────────────────────►┘
 *   any ──deregister──► draining ──deregistration delay──► unused (forgotten)
 */
export interface Target {
  readonly id: string;
  readonly port: number;
  /** Where its health is asked for. */
  readonly healthPort: number;
  readonly state: 'initial' | 'healthy' | 'unhealthy' | 'draining';
  readonly reason: HealthReason | undefined;
  /** Consecutive checks with the same outcome as the last one. */
  readonly streak: number;
  readonly lastCheckPassed: boolean;
  readonly healthySinceMs: number | undefined;
  readonly drainedAtMs: number | undefined;
}

export type HealthReason =
  | 'Elb.InitialHealthChecking'
  | 'Target.ResponseCodeMismatch'
  | 'Target.Timeout'
  | 'Target.FailedHealthChecks'
  | 'Target.DeregistrationInProgress'
  | 'Target.NotRegistered';

export interface HealthSettings {
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
  readonly deregistrationDelayMs: number;
}

/** What one health check found. */
export type CheckOutcome =
  | { readonly passed: true }
  | {
      readonly passed: false;
      readonly reason:
        'Target.ResponseCodeMismatch' | 'Target.Timeout' | 'Target.FailedHealthChecks';
    };

export function newTarget(id: string, port: number, healthPort: number): Target {
  return {
    id,
    port,
    healthPort,
    state: 'initial',
    reason: 'Elb.InitialHealthChecking',
    streak: 0,
    lastCheckPassed: false,
    healthySinceMs: undefined,
    drainedAtMs: undefined,
  };
}

export function afterCheck(
  target: Target,
  outcome: CheckOutcome,
  settings: HealthSettings,
  nowMs: number,
): Target {
  if (target.state === 'draining') return target;
  const streak = outcome.passed === target.lastCheckPassed ? target.streak + 1 : 1;
  const checked = { ...target, streak, lastCheckPassed: outcome.passed };
  if (outcome.passed) {
    const needed = target.state === 'initial' ? 1 : settings.healthyThreshold;
    return target.state !== 'healthy' && streak >= needed
      ? { ...checked, state: 'healthy', reason: undefined, healthySinceMs: nowMs }
      : checked;
  }
  if (streak < settings.unhealthyThreshold) return checked;
  return { ...checked, state: 'unhealthy', reason: outcome.reason, healthySinceMs: undefined };
}

export function deregistered(target: Target, settings: HealthSettings, nowMs: number): Target {
  if (target.state === 'draining') return target;
  return {
    ...target,
    state: 'draining',
    reason: 'Target.DeregistrationInProgress',
    drainedAtMs: nowMs + settings.deregistrationDelayMs,
  };
}

export function isDrained(target: Target, nowMs: number): boolean {
  return target.drainedAtMs !== undefined && target.drainedAtMs <= nowMs;
}

/**
 * Where new requests may go: healthy targets once the word has spread; when none is healthy, the
 * unhealthy ones, since a wrong health check must not take the service down.
 */
export function routable(
  targets: readonly Target[],
  spreadMs: number,
  nowMs: number,
): readonly Target[] {
  const healthy = targets.filter(({ state }) => state === 'healthy');
  const reached = healthy.filter(
    ({ healthySinceMs }) => (healthySinceMs ?? nowMs) + spreadMs <= nowMs,
  );
  if (healthy.length > 0) return reached;
  return targets.filter(({ state }) => state === 'unhealthy');
}

export function targetKey(target: Pick<Target, 'id' | 'port'>): string {
  return `${target.id}:${target.port}`;
}

const DESCRIPTIONS: Readonly<Record<HealthReason, string>> = {
  'Elb.InitialHealthChecking': 'Initial health checks in progress',
  'Target.ResponseCodeMismatch': 'Health checks failed with an unexpected status code',
  'Target.Timeout': 'Request timed out',
  'Target.FailedHealthChecks': 'Health checks failed',
  'Target.DeregistrationInProgress': 'Target deregistration is in progress',
  'Target.NotRegistered': 'Target is not registered to the target group',
};

export function describeReason(reason: HealthReason): string {
  return DESCRIPTIONS[reason];
}
