import {
  ALARMS,
  CALENDAR_2026,
  CAPACITY_DASHBOARD,
  INTENTS,
  METRICS,
  QUEUES,
  SCALING_PROFILES,
  alarmName,
  configure,
  cronExpression,
  defaultConfiguration as shipped,
  serviceName,
  tokensPerSecondOf,
} from '../src';

const DAY_SECONDS = 86_400;

test.each([
  ['CPU target', () => SCALING_PROFILES.baseline.targetTracking[0]?.target, 65],
  ['requests per target', () => SCALING_PROFILES.baseline.targetTracking[1]?.target, 500],
  ['invocations per task', () => SCALING_PROFILES.genai.targetTracking[2]?.target, 40],
  ['slots per task', () => shipped.gateway.slotsPerTask, 50],
  ['in flight per task', () => shipped.gateway.inFlightPerTask, 300],
  ['burst', () => shipped.gateway.burstRequests, 10],
  ['requests/min of a new account', () => shipped.quotas[0]?.requestsPerMinute, 500],
  ['SDK attempts', () => shipped.retry.sdkMaxAttempts, 1],
  ['retry budget', () => shipped.retry.budgetPercent, 20],
  ['recycle after', () => shipped.gateway.recycleAfterRequests, 10_000],
  ['heartbeat', () => shipped.timeouts.heartbeatMs, 15_000],
  ['connect', () => shipped.timeouts.connectMs, 10_000],
  ['first content', () => shipped.timeouts.firstContentMs, 20_000],
  ['first content of a thinking model', () => shipped.timeouts.firstContentThinkingMs, 120_000],
  ['gap between chunks', () => shipped.timeouts.chunkGapMs, 300_000],
  ['non-streaming total', () => shipped.timeouts.nonStreamingTotalMs, 300_000],
  ['balancer idle', () => shipped.timeouts.albIdleMs, 600_000],
  ['keep-alive', () => shipped.timeouts.keepAliveMs, 620_000],
  ['stop timeout', () => shipped.orchestrator.drain.stopTimeoutSeconds, 120],
  ['chat deregistration', () => shipped.orchestrator.drain.deregistrationDelaySeconds, 120],
  ['API deregistration', () => shipped.api.drain.deregistrationDelaySeconds, 300],
  ['SageMaker pool', () => shipped.pools.perTask.sagemaker.maxConnections, 50],
  ['Bedrock sockets', () => shipped.pools.perTask.bedrock.maxConnections, 100],
  ['DynamoDB pool', () => shipped.pools.perTask.dynamodb.maxConnections, 50],
  ['Redis commands at once', () => shipped.pools.perTask.redis.maxCommands, 100],
  ['Redis connect', () => shipped.pools.perTask.redis.connectTimeoutMs, 5_000],
  ['Redis silence', () => shipped.pools.perTask.redis.socketTimeoutMs, 5_000],
  ['OpenSearch pool', () => shipped.pools.perTask.opensearch.maxConnections, 30],
  ['pool warning', () => shipped.pools.warnPercent, 80],
  ['breaker rate', () => shipped.breaker.failureRatePercent, 50],
  ['breaker minimum calls', () => shipped.breaker.minimumCalls, 20],
  ['breaker window', () => shipped.breaker.windowSeconds, 10],
  ['breaker open', () => shipped.breaker.openSeconds, 30],
  ['breaker open at most', () => shipped.breaker.maxOpenSeconds, 120],
  ['half-open permits', () => shipped.breaker.halfOpenPermits, 3],
  ['branch cap', () => shipped.answering.branchCapMs, 5_000],
  ['history turns', () => shipped.answering.historyTurns, 10],
  ['sessions over the desired five', () => shipped.orchestrator.sessionsPerTask * 5, 10_000],
  ['orchestrator CPU', () => shipped.orchestrator.cpuUnits, 1_024],
  ['orchestrator memory', () => shipped.orchestrator.memoryMb, 2_048],
  ['prediction horizon', () => shipped.autoscaler.predictionSeconds, 300],
  ['tokens/s per task', () => shipped.autoscaler.tokensPerSecondPerTask, 500],
  ['scale-in hold', () => shipped.autoscaler.scaleIn.holdSeconds, 300],
  ['scale-in step', () => shipped.autoscaler.scaleIn.stepPercent, 10],
  ['scale-in step every', () => shipped.autoscaler.scaleIn.stepSeconds, 30],
  ['emergency queue', () => shipped.autoscaler.emergency.queueDepth, 200],
  ['provisioned by default', () => shipped.provisioned.enabled, false],
  ['messages a day', () => shipped.traffic.messagesPerDay, 1_000_000],
  ['API pool', () => shipped.api.databasePool, { size: 10, overflow: 20 }],
  ['orchestrator pool', () => shipped.orchestrator.databaseConnectionsPerTask, 4],
  ['ledger bound', () => shipped.ledger.maxQueryDays, 90],
  ['token prefix', () => shipped.apiTokens.prefix, 'mts_'],
  ['token cache', () => shipped.apiTokens.cacheSeconds, 300],
  ['ticket', () => shipped.sessions.ticketSeconds, 60],
  ['workers per instance', () => shipped.fleet.hosts.tasksPerInstance, 30],
  ['worker mark', () => shipped.fleet.markSeconds, 30],
  ['worker-control visibility', () => shipped.queues.workerControl.visibilitySeconds, 360],
  ['order-tasks visibility', () => shipped.queues.orderTasks.visibilitySeconds, 720],
  ['receives', () => shipped.queues.orderTasks.deadLetters.maxReceives, 5],
  [
    'dead letters kept',
    () => shipped.queues.workerControl.deadLetters.retentionSeconds,
    14 * DAY_SECONDS,
  ],
  ['pool-claim kept', () => shipped.queues.poolClaim.retentionSeconds, 300],
  ['partitions', () => shipped.jobs.partitions, 12],
  ['session timeout', () => shipped.jobs.sessionTimeoutMs, 6_000],
  ['jobs tasks', () => [shipped.jobs.minTasks, shipped.jobs.maxTasks], [2, 6]],
  [
    'cache times',
    () => shipped.mitigations.cacheSeconds,
    { normal: 30, event: 90, throttled: 120 },
  ],
])('%s', (_, actual, expected) => {
  expect(actual()).toEqual(expected);
});

test.each([
  ['baseline', [3, 50]],
  ['genai', [5, 100]],
] as const)('the %s profile keeps its limits', (profile, limits) => {
  const { scaling } = configure({ profile });
  expect([scaling.minTasks, scaling.maxTasks]).toEqual(limits);
});

test.each([
  ['baseline', ['cron(0 6 ? * MON-FRI *) 10', 'cron(0 22 ? * MON-FRI *) 3']],
  [
    'genai',
    [
      'cron(0 2 ? * * *) 5',
      'cron(0 6 ? * * *) 10',
      'cron(0 17 ? * * *) 30',
      'cron(30 23 ? * * *) 10',
    ],
  ],
] as const)('the %s profile keeps its schedule, in Tokyo time', (profile, expected) => {
  const { schedule } = configure({ profile }).scaling;
  expect(schedule.map((floor) => `${cronExpression(floor)} ${floor.minTasks}`)).toEqual(expected);
  expect(new Set(schedule.map((floor) => floor.timeZone))).toEqual(new Set(['Asia/Tokyo']));
});

test.each([
  [
    'websocket-connections-step',
    [
      [8_000, 2],
      [9_000, 4],
      [10_000, 6],
    ],
    20,
    60,
  ],
  ['queue-depth-step', [[50, 2]], 120, 60],
  ['queue-depth-emergency', [[200, 10]], 30, 60],
  ['latency-step', [[4_000, 3]], 120, 90],
])('%s adds tasks as promised', (name, steps, forSeconds, cooldownSeconds) => {
  const policy = SCALING_PROFILES.genai.steps.find((it) => it.name === name)?.scaleOut;
  expect(policy?.steps.map((step) => [step.from, step.addTasks])).toEqual(steps);
  expect([policy?.forSeconds, policy?.cooldownSeconds]).toEqual([forSeconds, cooldownSeconds]);
  expect(policy?.periodSeconds).toBe(10);
});

test.each([
  ['queue-depth-step', 20, 600],
  ['latency-step', 2_000, 900],
])('%s takes one task back slowly', (name, threshold, forSeconds) => {
  const policy = SCALING_PROFILES.genai.steps.find((it) => it.name === name)?.scaleIn;
  expect([policy?.threshold, policy?.forSeconds]).toEqual([threshold, forSeconds]);
  expect([policy?.steps[0]?.addTasks, policy?.cooldownSeconds]).toEqual([-1, 300]);
});

test('the units of each window carry the tokens/s they are bought for', () => {
  const { windows, eventUnits, tokensPerSecondPerUnit } = shipped.provisioned;
  const carried = [...windows.map((window) => window.units), eventUnits].map((units) =>
    tokensPerSecondOf(units, tokensPerSecondPerUnit),
  );
  expect(carried).toEqual([0, 11_000, 14_000, 25_000, 41_000]);
});

test('the calendar of 2026 holds its events for as long as they last', () => {
  const days = CALENDAR_2026.events.map((event) => [
    event.name,
    event.start.slice(5, 10),
    (Date.parse(event.end) - Date.parse(event.start)) / (DAY_SECONDS * 1_000),
    event.multiplier,
  ]);
  expect(days).toEqual([
    ['new_year_sale', '01-01', 7, 5],
    ['anime_premieres_winter', '01-10', 7, 2],
    ['manga_award_season', '03-01', 14, 2],
    ['anime_premieres_spring', '04-10', 7, 2],
    ['golden_week', '04-29', 7, 3],
    ['anime_premieres_summer', '07-10', 7, 2],
    ['prime_day', '07-15', 3, 4],
    ['summer_comiket', '08-10', 4, 3],
    ['anime_premieres_autumn', '10-10', 7, 2],
    ['black_friday', '11-27', 4, 5],
    ['cyber_monday', '11-30', 2, 4],
    ['jump_festa', '12-19', 2, 3],
    ['year_end_sale', '12-20', 12, 4],
  ]);
});

test.each([
  ['OrchestrationOverheadHigh', 'orchestrator.overhead_ms', 'p95', 200],
  ['FanoutSlow', 'orchestrator.fanout_parallel_ms', 'p95', 100],
  ['FallbacksFrequent', 'circuit_breaker.fallback_invocations', 'Sum', 100],
  ['PoolNearlyExhausted', 'connection_pool.utilization_pct', 'Maximum', 85],
  ['ScalingSlow', 'ecs.scaling_response_time_s', 'Maximum', 120],
  ['ConsumerLagging', 'consumer_lag', 'Maximum', 1_000],
  ['RebalancingOften', 'rebalance_count', 'Sum', 5],
] as const)('%s fires at its threshold', (key, metric, statistic, value) => {
  const alarm = ALARMS[key];
  expect(METRICS[alarm.watches.metric as keyof typeof METRICS].name).toBe(metric);
  expect(alarm).toMatchObject({ statistic, threshold: { kind: 'fixed', value } });
});

test('every alarm lasts a whole number of periods and says who suffers', () => {
  for (const alarm of Object.values(ALARMS)) {
    expect(alarm.forSeconds % alarm.periodSeconds).toBe(0);
    expect(alarm.impact.length).toBeGreaterThan(20);
  }
});

test('metric names are unique', () => {
  const names = Object.values(METRICS).map((metric) => metric.name);
  expect(new Set(names).size).toBe(names.length);
});

test('the capacity dashboard has its eight panels over their windows', () => {
  expect(CAPACITY_DASHBOARD.map((panel) => panel.windowHours)).toEqual([6, 1, 1, 6, 1, 24, 6, 24]);
});

test('established names are kept', () => {
  expect(serviceName('mangaassist', 'orchestrator')).toBe('mangaassist-orchestrator');
  expect(alarmName('prod', 'WorkerCommandsDead')).toBe('prod-orchestrator-dlq-has-messages');
  expect(alarmName('prod', 'OrderTasksDead')).toBe('prod-order-tasks-dlq-has-messages');
  expect(QUEUES.workerControl).toBe('worker-control.fifo');
  expect(INTENTS).toHaveLength(9);
});
