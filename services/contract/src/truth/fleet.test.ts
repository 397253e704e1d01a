import { contradictionsIn, describeContradictions } from '../../test/contradiction-of';

describeContradictions('hosts, queues and functions', [
  {
    id: 'worker-cpu',
    when: 'more workers are packed than the CPU carries',
    overrides: { fleet: { hosts: { tasksPerInstance: 33 } } },
    says: /33 tasks of 64 CPU units do not fit r6i\.large \(2,048 units, room for 32\)/,
    fix: /Set fleet\.hosts\.tasksPerInstance to at most 32/,
  },
  {
    id: 'worker-memory-soft',
    when: 'reservations exceed the memory of the host',
    overrides: { fleet: { hosts: { tasksPerInstance: 42 } } },
    says: /42 tasks reserve 16,128 MB, r6i\.large has 15,872 MB after 512 MB for the system \(room for 41\)/,
    fix: /at most 41, or lower fleet\.hosts\.task\.memorySoftMb/,
  },
  {
    id: 'api-memory-hard',
    when: 'hard limits exceed the memory of the host',
    overrides: { api: { hosts: { task: { memoryHardMb: 6_000 } } } },
    says: /2 tasks may use 12,000 MB, m6i\.large has 7,680 MB \(room for 1\)/,
    fix: /or accept the over-commit with a reason under acknowledged\['api-memory-hard'\]/,
  },
  {
    id: 'api-cpu',
    when: 'more API tasks are packed than the CPU carries',
    overrides: { api: { hosts: { tasksPerInstance: 3 } } },
    says: /3 tasks of 1024 CPU units do not fit m6i\.large \(2,048 units, room for 2\)/,
    fix: /at most 2/,
  },
  {
    id: 'worker-network-interfaces',
    when: 'every worker would need an interface of its own',
    overrides: { fleet: { hosts: { networkMode: 'awsvpc' } } },
    says: /r6i\.large has 3, one is the host's, so 2 tasks fit instead of 30/,
    fix: /networkMode to bridge, or fleet\.hosts\.tasksPerInstance to at most 2/,
  },
  {
    id: 'deployment-stuck',
    when: 'a deployment may neither stop nor start a task',
    overrides: { api: { deployment: { maxPercent: 100 } } },
    says: /keeps 100 % healthy and allows 100 %/,
    fix: /maxPercent to 200/,
  },
  {
    id: 'deploy-headroom',
    when: 'a rolling update finds no instances',
    overrides: { api: { hosts: { maxInstances: 6 } } },
    says: /rolling update of 10 API tasks at 200 % runs 20 tasks, 2 per instance: 10 instances, but the provider stops at 6/,
    fix: /Raise api\.hosts\.maxInstances to 10/,
  },
  {
    id: 'worker-hosts',
    when: 'the workers do not fit the instances',
    overrides: { fleet: { maxWorkers: 1_000 } },
    says: /1000 workers and 10 warm ones need 34 instances at 30 each, but the provider stops at 20/,
    fix: /maxInstances to 34/,
  },
  {
    id: 'metadata-reachable',
    when: 'containers can reach the credentials of their host',
    overrides: { fleet: { hosts: { metadataHopLimit: 2 } } },
    says: /fleet\.hosts\.metadataHopLimit is 2/,
    fix: /metadataHopLimit to 1/,
  },
  {
    id: 'queue-visibility',
    when: 'a message reappears while it is worked on',
    overrides: { queues: { workerControl: { visibilitySeconds: 90 } } },
    says: /worker-control\.fifo hides a message for 90 s, but its function may run 60 s and needs 6 × 60 = 360 s/,
    fix: /queues\.workerControl\.visibilitySeconds to at least 360, or functions\.workerControl\.timeoutSeconds to at most 15/,
  },
  {
    id: 'queue-max-receives',
    when: 'a message is given up after three receives',
    overrides: { queues: { orderTasks: { deadLetters: { maxReceives: 3 } } } },
    says: /order-tasks\.fifo gives a message up after 3 receives/,
    fix: /queues\.orderTasks\.deadLetters\.maxReceives to at least 5/,
  },
  {
    id: 'dead-letter-retention',
    when: 'dead letters are deleted before anybody sees them',
    overrides: { queues: { workerControl: { deadLetters: { retentionSeconds: 86_400 } } } },
    says: /Dead letters of worker-control\.fifo are kept 86400 s, the queue itself keeps messages 86400 s/,
    fix: /deadLetters\.retentionSeconds above 86400/,
  },
  {
    id: 'function-overruns-period',
    when: 'maintenance works longer than its period',
    overrides: { functions: { maintenance: { runSeconds: 280 } } },
    says: /maintenance may work for 280 s, is started every 60 s and killed after 300 s/,
    fix: /functions\.maintenance\.runSeconds below 60/,
  },
  {
    id: 'function-not-single-flight',
    when: 'two pool managers fill the same gap',
    overrides: { functions: { poolManager: { reservedConcurrency: 2 } } },
    says: /pool_manager may run 2 times at once/,
    fix: /functions\.poolManager\.reservedConcurrency to 1/,
  },
  {
    id: 'mark-renewed-late',
    when: 'one late renewal makes a worker look dead',
    overrides: { fleet: { markRenewSeconds: 20 } },
    says: /renews its mark every 20 s, the mark lives 30 s/,
    fix: /markRenewSeconds to at most 10/,
  },
  {
    id: 'dead-worker-noticed-late',
    when: 'maintenance comes later than promised',
    overrides: { functions: { maintenance: { periodSeconds: 120 } } },
    says: /noticed within 60 s, but maintenance looks every 120 s/,
    fix: /periodSeconds to at most 60/,
  },
  {
    id: 'start-grace-too-short',
    when: 'fresh workers are killed as orphans',
    overrides: { fleet: { startGraceSeconds: 20 } },
    says: /taken for an orphan after 20 s, but may take 10 s .* and 30 s/,
    fix: /startGraceSeconds to at least 40/,
  },
]);

test('over-committed hard limits of workers are a warning as shipped, with the reason they are accepted for', () => {
  const [found] = contradictionsIn('worker-memory-hard', {});
  expect(found?.severity).toBe('warning');
  expect(found?.message).toMatch(
    /30 tasks may use 30,720 MB, r6i\.large has 15,872 MB .*Accepted: /,
  );
});
