import type { Clock } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import type { AlarmBook } from '../cloudwatch/alarm-book';
import { serveAws } from '../wire/aws-endpoint';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { awsJsonProtocol } from '../wire/aws-json-protocol';
import { targetOperations } from './operations';
import { policyOperations } from './policy-operations';
import { policyRunner } from './policy-runner';
import type { CapacityPort, ScalableTarget, ScalingActivity } from './scalable-target';
import { scheduleOperations } from './schedule-operations';
import { scheduledActions } from './scheduled-actions';
import { targetBook } from './target-book';

export interface ApplicationAutoScalingOptions {
  /** The services that are scaled: an ECS stand-in's `scalable`. */
  readonly services: CapacityPort;
  /** The alarms that call policies, and where target tracking puts its own: a CloudWatch stand-in's. */
  readonly alarms: AlarmBook;
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** Whether a one-time scheduled action disappears once it has run. @default false */
  readonly forgetOneTimeActions?: boolean;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
}

/** Application Auto Scaling for ECS services on loopback. */
export interface ApplicationAutoScalingStandIn extends AwsEndpoint {
  /** Registers a service by `service/<cluster>/<name>`, as a stack would. */
  register(resourceId: string, limits: { readonly min: number; readonly max: number }): void;
  targets(): readonly ScalableTarget[];
  /** Newest first. */
  activities(): readonly ScalingActivity[];
}

export async function startApplicationAutoScalingStandIn(
  options: ApplicationAutoScalingOptions,
): Promise<ApplicationAutoScalingStandIn> {
  const clock = options.clock ?? scaledClock();
  const targets = targetBook(options.services, clock);
  const policies = policyRunner(targets, options.alarms, clock);
  const schedules = scheduledActions({
    targets,
    clock,
    forgetOneTime: options.forgetOneTimeActions ?? false,
  });
  const arnPrefix = `arn:aws:autoscaling:${options.region ?? 'ap-northeast-1'}:000000000000`;
  const context = { targets, policies, schedules, clock, arnPrefix };

  const targetCalls = targetOperations(context);
  const endpoint = await serveAws({
    protocol: awsJsonProtocol({
      target: 'AnyScaleFrontendService',
      version: '1.1',
      namespace: 'com.amazonaws.applicationautoscaling',
    }),
    operations: {
      ...targetCalls,
      ...policyOperations(context),
      ...scheduleOperations(context),
    },
    ...(options.port === undefined ? {} : { port: options.port }),
  });

  return {
    ...endpoint,
    register(resourceId, { min, max }) {
      targetCalls['RegisterScalableTarget']?.({
        ServiceNamespace: 'ecs',
        ResourceId: resourceId,
        ScalableDimension: 'ecs:service:DesiredCount',
        MinCapacity: min,
        MaxCapacity: max,
      });
    },
    targets: () => targets.list(),
    activities: () => targets.activities(),
    async close() {
      schedules.stop();
      await endpoint.close();
    },
  };
}
