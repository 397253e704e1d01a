/** Every figure of the chat plane that is infrastructure. */
import { PATHS, PORTS, configure } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';

import { environmentNamed } from '../../lib/config/environment';
import { eventActions } from '../../lib/constructs/event-actions';
import { NOW_MS, ofType, synthesize } from './synthesized';
import type { CloudFormation, Synthesized } from './synthesized';

let prod: Synthesized;
let chat: Template;
let json: CloudFormation;
let baseline: CloudFormation;

beforeAll(() => {
  prod = synthesize('prod');
  chat = prod.template('chat');
  json = prod.json('chat');
  baseline = synthesize('dev').json('chat');
});

describe('the load balancer', () => {
  test('is private, waits 600 s, and refuses what two servers could read differently', () => {
    chat.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
      Scheme: 'internal',
      LoadBalancerAttributes: Match.arrayWith([
        { Key: 'idle_timeout.timeout_seconds', Value: '600' },
        { Key: 'routing.http.drop_invalid_header_fields.enabled', Value: 'true' },
        { Key: 'routing.http.desync_mitigation_mode', Value: 'strictest' },
      ]),
    });
  });

  test('lets only CloudFront in, over TLS', () => {
    chat.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
      Port: 443,
      Protocol: 'HTTPS',
    });
    const [front] = ofType(json, 'AWS::EC2::SecurityGroup').filter(({ GroupDescription }) =>
      String(GroupDescription).includes('only CloudFront'),
    );
    expect(front?.['SecurityGroupIngress']).toBeUndefined();
    chat.hasResourceProperties('AWS::EC2::SecurityGroupIngress', {
      FromPort: 443,
      SourcePrefixListId: 'pl-58a04531',
    });
  });

  test('spreads by turns, checks readiness every 10 s, and lets a draining task finish for 120 s', () => {
    chat.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      Port: PORTS.orchestrator,
      HealthCheckPath: PATHS.ready,
      HealthCheckPort: String(PORTS.orchestratorHealth),
      HealthCheckIntervalSeconds: 10,
      HealthyThresholdCount: 2,
      UnhealthyThresholdCount: 3,
      TargetGroupAttributes: Match.arrayWith([
        { Key: 'deregistration_delay.timeout_seconds', Value: '120' },
        { Key: 'load_balancing.algorithm.type', Value: 'round_robin' },
      ]),
    });
  });
});

describe('the service', () => {
  test('is mangaassist-orchestrator, replaced 100/200 with a circuit breaker and rollback alarms', () => {
    chat.hasResourceProperties('AWS::ECS::Service', {
      ServiceName: 'mangaassist-orchestrator',
      LaunchType: 'FARGATE',
      DeploymentConfiguration: {
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        Alarms: Match.objectLike({ Enable: true, Rollback: true }),
      },
    });
  });

  test('never has its number of tasks set once scaling owns it', () => {
    for (const service of ofType(json, 'AWS::ECS::Service')) {
      expect(service).not.toHaveProperty('DesiredCount');
    }
  });

  test('has tasks of 1 vCPU and 2 GB with 120 s to drain', () => {
    chat.hasResourceProperties('AWS::ECS::TaskDefinition', {
      Cpu: '1024',
      Memory: '2048',
      ContainerDefinitions: [Match.objectLike({ Name: 'orchestrator', StopTimeout: 120 })],
    });
  });

  test('has its tasks counted, wished for and running, by Container Insights', () => {
    chat.hasResourceProperties('AWS::ECS::Cluster', {
      ClusterSettings: [{ Name: 'containerInsights', Value: 'enabled' }],
    });
  });

  test('waits for the schema, then for the catalogue', () => {
    const dependencies = (type: string) =>
      Object.values(json.Resources)
        .filter((it) => it.Type === type)
        .flatMap((it) => it['DependsOn'] as string[]);
    expect(dependencies('AWS::ECS::Service')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^CatalogueLoadRunTrigger/)]),
    );
    expect(dependencies('Custom::Trigger')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^MigrationRunTrigger/)]),
    );
  });
});

interface ScheduledAction {
  readonly ScheduledActionName: string;
  readonly Schedule: string;
  readonly Timezone: string;
  readonly ScalableTargetAction: { readonly MinCapacity: number; readonly MaxCapacity?: number };
  readonly StartTime?: string;
  readonly EndTime?: string;
}

const targetOf = (template: CloudFormation) => {
  const [target] = ofType(template, 'AWS::ApplicationAutoScaling::ScalableTarget');
  return target as unknown as {
    MinCapacity: number;
    MaxCapacity: number;
    ScheduledActions: ScheduledAction[];
  };
};

const daily = (template: CloudFormation) =>
  targetOf(template)
    .ScheduledActions.filter(({ ScheduledActionName }) => !ScheduledActionName.startsWith('event-'))
    .map((it) => [it.ScheduledActionName, it.Schedule, it.ScalableTargetAction.MinCapacity]);

describe('limits and schedules', () => {
  test('GenAI profile: 5 to 100, and the Japanese day', () => {
    expect(targetOf(json)).toMatchObject({ MinCapacity: 5, MaxCapacity: 100 });
    expect(daily(json)).toEqual([
      ['overnight-trough', 'cron(0 2 ? * * *)', 5],
      ['morning-ramp', 'cron(0 6 ? * * *)', 10],
      ['evening-pre-scale', 'cron(0 17 ? * * *)', 30],
      ['late-evening', 'cron(30 23 ? * * *)', 10],
    ]);
  });

  test('baseline profile: 3 to 50, and working days', () => {
    expect(targetOf(baseline)).toMatchObject({ MinCapacity: 3, MaxCapacity: 50 });
    expect(daily(baseline)).toEqual([
      ['weekday-peak', 'cron(0 6 ? * MON-FRI *)', 10],
      ['weekday-off-peak', 'cron(0 22 ? * MON-FRI *)', 3],
    ]);
  });

  test('every action is in Japanese time and leaves the maximum alone', () => {
    for (const action of targetOf(json).ScheduledActions) {
      expect(action.Timezone).toBe('Asia/Tokyo');
      expect(action.ScalableTargetAction.MaxCapacity).toBeUndefined();
    }
  });
});

describe('events of the calendar', () => {
  const action = (name: string) =>
    targetOf(json).ScheduledActions.find((it) => it.ScheduledActionName === name);

  test('every event that is not over raises the floor three hours ahead and returns it', () => {
    const { events, weekly } = configure().calendar;
    const ahead = events.filter(
      ({ end }) => Date.parse(end) > Date.parse('2026-11-18T12:00+09:00'),
    );
    expect(ahead.map(({ name }) => name)).toContain('black_friday');
    for (const { name } of [...ahead, ...weekly]) {
      expect(action(`event-${name}-raise`)).toBeDefined();
      expect(action(`event-${name}-return`)).toBeDefined();
    }
    expect(action('event-black_friday-raise')).toMatchObject({
      Schedule: 'at(2026-11-26T21:00:00)',
      ScalableTargetAction: { MinCapacity: 50 },
    });
  });

  test.each([
    ['new_year_sale', '2025-12-31T21:00:00', 50],
    ['anime_premieres_winter', '2026-01-09T21:00:00', 20],
    ['manga_award_season', '2026-02-28T21:00:00', 20],
    ['anime_premieres_spring', '2026-04-09T21:00:00', 20],
    ['golden_week', '2026-04-28T21:00:00', 30],
    ['anime_premieres_summer', '2026-07-09T21:00:00', 20],
    ['prime_day', '2026-07-14T21:00:00', 40],
    ['summer_comiket', '2026-08-09T21:00:00', 30],
    ['anime_premieres_autumn', '2026-10-09T21:00:00', 20],
    ['black_friday', '2026-11-26T21:00:00', 50],
    ['cyber_monday', '2026-11-29T21:00:00', 40],
    ['jump_festa', '2026-12-18T21:00:00', 30],
    ['year_end_sale', '2026-12-19T21:00:00', 40],
  ])('%s holds its floor from %s: %d tasks', (name, from, tasks) => {
    const before = Date.parse('2025-12-31T12:00:00+09:00');
    const { platform } = environmentNamed('prod', NOW_MS);
    const actions = eventActions(platform, before).filter((it) => it.name.includes(name));
    expect(actions[0]).toMatchObject({ name: `event-${name}-raise`, expression: `at(${from})` });
    expect(actions[1]).toMatchObject({
      name: `event-${name}-hold`,
      minTasks: tasks,
      fromMs: Date.parse(`${from}+09:00`),
    });
  });

  test('what is over is left out', () => {
    expect(action('event-golden_week-raise')).toBeUndefined();
  });

  test('an event that ends inside another returns to the other’s floor', () => {
    expect(action('event-black_friday-return')).toMatchObject({
      Schedule: 'at(2026-12-01T00:00:00)',
      ScalableTargetAction: { MinCapacity: 40 },
    });
  });

  test('the daily schedule does not undo an event: its floor is set again within minutes', () => {
    expect(action('event-year_end_sale-hold')).toMatchObject({
      Schedule: 'cron(3,33 * * * ? *)',
      StartTime: '2026-12-19T12:00:00Z',
      EndTime: '2026-12-31T15:00:00Z',
      ScalableTargetAction: { MinCapacity: 40 },
    });
  });

  test('the weekly release: Sunday 21:00 to Monday 04:00, 50 tasks', () => {
    const of = (name: string) => {
      const { Schedule, ScalableTargetAction } = action(name) ?? {};
      return [Schedule, ScalableTargetAction?.MinCapacity];
    };
    expect(of('event-weekly_shonen_jump-raise')).toEqual(['cron(0 21 ? * SUN *)', 50]);
    expect(of('event-weekly_shonen_jump-hold-sun')).toEqual(['cron(4,34 21-23 ? * SUN *)', 50]);
    expect(of('event-weekly_shonen_jump-hold-mon')).toEqual(['cron(4,34 0-3 ? * MON *)', 50]);
    expect(of('event-weekly_shonen_jump-return')).toEqual(['cron(0 4 ? * MON *)', 5]);
  });

  test('all of them fit into what one target may have', () => {
    expect(targetOf(json).ScheduledActions.length).toBeLessThan(200);
  });
});

describe('policies', () => {
  test.each([
    [
      'cpu-target-tracking',
      65,
      60,
      300,
      { PredefinedMetricType: 'ECSServiceAverageCPUUtilization' },
    ],
    [
      'request-count-target-tracking',
      500,
      60,
      300,
      { PredefinedMetricType: 'ALBRequestCountPerTarget' },
    ],
  ])(
    '%s tracks %d, out %d s, in %d s',
    (PolicyName, TargetValue, ScaleOutCooldown, ScaleInCooldown, metric) => {
      chat.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
        PolicyName,
        PolicyType: 'TargetTrackingScaling',
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue,
          ScaleOutCooldown,
          ScaleInCooldown,
          PredefinedMetricSpecification: Match.objectLike(metric),
        },
      });
    },
  );

  test('invocations are tracked per task at 40, out 120 s, in 300 s', () => {
    chat.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      PolicyName: 'invocations-target-tracking',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 40,
        ScaleOutCooldown: 120,
        ScaleInCooldown: 300,
        CustomizedMetricSpecification: {
          Namespace: 'MangaAssist',
          MetricName: 'ActiveBedrockInvocations',
          Statistic: 'Average',
        },
      },
    });
  });

  test.each([
    [
      'websocket-connections-step',
      60,
      [
        { MetricIntervalLowerBound: 0, MetricIntervalUpperBound: 1000, ScalingAdjustment: 2 },
        { MetricIntervalLowerBound: 1000, MetricIntervalUpperBound: 2000, ScalingAdjustment: 4 },
        { MetricIntervalLowerBound: 2000, ScalingAdjustment: 6 },
      ],
    ],
    ['queue-depth-step', 60, [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 2 }]],
    ['queue-depth-step-in', 300, [{ MetricIntervalUpperBound: 0, ScalingAdjustment: -1 }]],
    ['queue-depth-emergency', 60, [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 10 }]],
    ['latency-step', 90, [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 3 }]],
    ['latency-step-in', 300, [{ MetricIntervalUpperBound: 0, ScalingAdjustment: -1 }]],
  ])('%s, cooldown %d s', (PolicyName, Cooldown, StepAdjustments) => {
    chat.hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      PolicyName,
      PolicyType: 'StepScaling',
      StepScalingPolicyConfiguration: {
        AdjustmentType: 'ChangeInCapacity',
        Cooldown,
        StepAdjustments,
      },
    });
  });

  const [MORE, AT_LEAST, LESS] = [
    'GreaterThanThreshold',
    'GreaterThanOrEqualToThreshold',
    'LessThanThreshold',
  ];

  test.each([
    ['queue-depth-step-out', 'BedrockQueueDepth', MORE, 50, 10, 12],
    ['queue-depth-step-in', 'BedrockQueueDepth', LESS, 20, 60, 10],
    ['queue-depth-emergency-out', 'BedrockQueueDepth', MORE, 200, 10, 3],
    ['latency-step-out', 'RequestLatencyP99', MORE, 4000, 10, 12],
    ['latency-step-in', 'RequestLatencyP99', LESS, 2000, 60, 15],
  ])(
    '%s watches the worst task: %s %s %d, %d s x %d',
    (name, MetricName, ComparisonOperator, Threshold, Period, EvaluationPeriods) => {
      chat.hasResourceProperties('AWS::CloudWatch::Alarm', {
        AlarmName: `prod-${name}`,
        MetricName,
        Statistic: 'Maximum',
        ComparisonOperator,
        Threshold,
        Period,
        EvaluationPeriods,
        TreatMissingData: 'notBreaching',
      });
    },
  );

  test('connections are counted as if over five tasks, so that adding tasks lowers the reading', () => {
    chat.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'prod-websocket-connections-step-out',
      ComparisonOperator: AT_LEAST,
      Threshold: 8000,
      EvaluationPeriods: 2,
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'perTask * 5' }),
        Match.objectLike({
          MetricStat: {
            Metric: { MetricName: 'ActiveWebSocketConnections', Namespace: 'MangaAssist' },
            Period: 10,
            Stat: 'Average',
          },
        }),
      ]),
    });
  });

  test('the baseline profile has CPU, requests and connections, and no others', () => {
    const names = ofType(baseline, 'AWS::ApplicationAutoScaling::ScalingPolicy').map(
      ({ PolicyName }) => PolicyName,
    );
    expect(names.sort()).toEqual([
      'cpu-target-tracking',
      'request-count-target-tracking',
      'websocket-connections-step',
    ]);
  });
});

describe('what the orchestrator may call', () => {
  const statements = () =>
    ofType(json, 'AWS::IAM::Policy')
      .filter(({ logicalId }) => logicalId.startsWith('OrchestratorTaskTaskRole'))
      .flatMap(
        ({ PolicyDocument }) =>
          (PolicyDocument as { Statement: { Action: string | string[]; Resource: unknown }[] })
            .Statement,
      );

  test('models of the catalogue, with the profile and the model behind it in every region it may choose', () => {
    const invoke = statements().find(({ Action }) => Action.includes('bedrock:InvokeModel'));
    const text = JSON.stringify(invoke?.Resource);
    expect(text).toContain('inference-profile/jp.anthropic.claude-sonnet-5');
    expect(text).toContain('bedrock:ap-northeast-1::foundation-model/anthropic.claude-sonnet-5');
    expect(text).toContain('bedrock:ap-northeast-3::foundation-model/anthropic.claude-sonnet-5');
    expect(text).not.toContain('provisioned-model');
  });

  test('provisioned throughput only where it is turned on, and only of this environment', () => {
    const on = synthesize('dev', {
      choices: {
        platform: { environment: 'dev', profile: 'baseline', provisioned: { enabled: true } },
      },
    });
    expect(JSON.stringify(on.json('chat'))).toContain('aws:ResourceTag/matsuri:environment');
    expect(JSON.stringify(on.json('capacity'))).toContain(
      'bedrock:CreateProvisionedModelThroughput',
    );
    expect(JSON.stringify(prod.json('capacity'))).not.toContain('bedrock:CreateProvisioned');
  });
});
