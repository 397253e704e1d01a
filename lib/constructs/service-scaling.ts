import { METRICS, cronExpression } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { Duration, TimeZone } from 'aws-cdk-lib';
import * as scaling from 'aws-cdk-lib/aws-applicationautoscaling';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as elb from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Construct } from 'constructs';

import { eventActions } from './event-actions';
import { requestLabel, serviceTarget } from './service-target';
import { StepPolicy } from './step-policy';

export interface ServiceScalingProps {
  readonly service: ecs.FargateService;
  readonly targets: elb.ApplicationTargetGroup;
  readonly platform: PlatformConfiguration;
  /** Of synth: events that are over by then need no preparation. */
  readonly nowMs: number;
}

type Profile = PlatformConfiguration['scaling'];
type TargetTracking = Profile['targetTracking'][number];
type Signal = Profile['steps'][number]['signal'];

/**
 * How the orchestrator service grows and shrinks by AWS's own hand: the chosen profile policy by policy, and the
 * calendar event by event. CloudFormation knows scheduled actions only as part of the target they act on, so those
 * of the calendar are here too.
 */
export class ServiceScaling extends Construct {
  private readonly tasks: scaling.ScalableTarget;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ServiceScalingProps,
  ) {
    super(scope, id);
    const { scaling: profile } = props.platform;
    this.tasks = serviceTarget(this, 'Tasks', props.service, profile);
    for (const policy of profile.targetTracking) this.track(policy);
    for (const policy of profile.steps) {
      new StepPolicy(this, policy.name, {
        policy,
        target: this.tasks,
        reading: (periodSeconds) => this.reading(policy.signal, periodSeconds),
        name: `${props.platform.environment}-${policy.name}`,
      });
    }
    this.follow(profile.schedule);
    this.prepareForEvents();
  }

  private track(policy: TargetTracking): void {
    const pace = {
      policyName: policy.name,
      scaleOutCooldown: Duration.seconds(policy.scaleOutCooldownSeconds),
      scaleInCooldown: Duration.seconds(policy.scaleInCooldownSeconds),
    };
    switch (policy.signal) {
      case 'cpuPercent':
        this.tasks.scaleToTrackMetric(policy.name, {
          ...pace,
          predefinedMetric: scaling.PredefinedMetric.ECS_SERVICE_AVERAGE_CPU_UTILIZATION,
          targetValue: policy.target,
        });
        return;
      case 'requestsPerTargetPerMinute':
        this.tasks.scaleToTrackMetric(policy.name, {
          ...pace,
          predefinedMetric: scaling.PredefinedMetric.ALB_REQUEST_COUNT_PER_TARGET,
          resourceLabel: requestLabel(this.props.targets),
          targetValue: policy.target,
        });
        return;
      case 'activeInvocationsPerTask':
        this.tasks.scaleToTrackMetric(policy.name, {
          ...pace,
          // Every task publishes one reading a period: their average is the figure of one task.
          customMetric: this.own(
            METRICS.activeBedrockInvocations.name,
            cloudwatch.Stats.AVERAGE,
            60,
          ),
          targetValue: policy.target,
        });
        return;
      case 'normalisedWebSocketConnections':
      case 'bedrockQueueDepthMaximum':
      case 'requestLatencyP99MaximumMs':
        throw new Error(`${policy.name}: ${policy.signal} is for steps, it cannot be tracked`);
    }
  }

  private follow(schedule: Profile['schedule']): void {
    for (const floor of schedule) {
      if (floor.timeZone === undefined) throw new Error(`${floor.name} has no time zone`);
      this.tasks.scaleOnSchedule(floor.name, {
        schedule: scaling.Schedule.expression(cronExpression(floor)),
        timeZone: TimeZone.of(floor.timeZone),
        minCapacity: floor.minTasks,
      });
    }
  }

  private prepareForEvents(): void {
    const { platform, nowMs } = this.props;
    const timeZone = TimeZone.of(platform.calendar.timeZone);
    for (const { name, expression, minTasks, fromMs, toMs } of eventActions(platform, nowMs)) {
      this.tasks.scaleOnSchedule(name, {
        schedule: scaling.Schedule.expression(expression),
        timeZone,
        minCapacity: minTasks,
        ...(fromMs !== undefined && { startTime: new Date(fromMs) }),
        ...(toMs !== undefined && { endTime: new Date(toMs) }),
      });
    }
  }

  /** What a step policy's alarm looks at. */
  private reading(signal: Signal, periodSeconds: number): cloudwatch.IMetric {
    switch (signal) {
      case 'normalisedWebSocketConnections':
        return this.normalisedConnections(periodSeconds);
      case 'bedrockQueueDepthMaximum':
        return this.own(METRICS.bedrockQueueDepth.name, cloudwatch.Stats.MAXIMUM, periodSeconds);
      case 'requestLatencyP99MaximumMs':
        return this.own(METRICS.requestLatencyP99.name, cloudwatch.Stats.MAXIMUM, periodSeconds);
      case 'cpuPercent':
      case 'requestsPerTargetPerMinute':
      case 'activeInvocationsPerTask':
        throw new Error(`${signal} is tracked, it has no steps`);
    }
  }

  /** Per task, times the tasks the service is sized for: more tasks lower it, so the steps come to rest. */
  private normalisedConnections(periodSeconds: number): cloudwatch.IMetric {
    const { name } = METRICS.activeWebSocketConnections;
    return new cloudwatch.MathExpression({
      expression: `perTask * ${this.props.platform.orchestrator.sizedForTasks}`,
      usingMetrics: { perTask: this.own(name, cloudwatch.Stats.AVERAGE, periodSeconds) },
      period: Duration.seconds(periodSeconds),
      label: 'Connections, as if over the tasks the service is sized for',
    });
  }

  private own(metricName: string, statistic: string, periodSeconds: number): cloudwatch.Metric {
    return new cloudwatch.Metric({
      namespace: this.props.platform.product.metricNamespace,
      metricName,
      statistic,
      period: Duration.seconds(periodSeconds),
    });
  }
}
