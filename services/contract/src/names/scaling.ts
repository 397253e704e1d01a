/** Names of Application Auto Scaling policies. */
export const SCALING_POLICIES = {
  cpu: 'cpu-target-tracking',
  requestCount: 'request-count-target-tracking',
  webSocketConnections: 'websocket-connections-step',
  queueDepth: 'queue-depth-step',
  queueDepthEmergency: 'queue-depth-emergency',
  invocations: 'invocations-target-tracking',
  latency: 'latency-step',
} as const;

export type ScalingPolicyName = (typeof SCALING_POLICIES)[keyof typeof SCALING_POLICIES];

/** Names of recurring Application Auto Scaling scheduled actions. */
export const SCHEDULED_ACTIONS = {
  weekdayPeak: 'weekday-peak',
  weekdayOffPeak: 'weekday-off-peak',
  overnightTrough: 'overnight-trough',
  morningRamp: 'morning-ramp',
  eveningPreScale: 'evening-pre-scale',
  lateEvening: 'late-evening',
} as const;

/** The one-time action that returns the floor to the schedule if nobody renews the raise. */
export const FLOOR_EXPIRY_ACTION = 'autoscaler-floor-expiry';

/** The action that raises the floor ahead of an event, and the one that returns it. */
export function eventActionNames(event: string): { readonly raise: string; readonly back: string } {
  return { raise: `event-${event}-raise`, back: `event-${event}-return` };
}
