/** SQS queue names. FIFO queues and their dead-letter queues end in `.fifo`, as SQS demands. */
export const QUEUES = {
  workerControl: 'worker-control.fifo',
  workerControlDeadLetters: 'worker-control-dlq.fifo',
  orderTasks: 'order-tasks.fifo',
  orderTasksDeadLetters: 'order-tasks-dlq.fifo',
  /** Nudges only: who was claimed is written in the fleet table. */
  poolClaim: 'pool-claim',
  stageTasks: 'stage-tasks.fifo',
  stageTasksDeadLetters: 'stage-tasks-dlq.fifo',
  stageResults: 'stage-results.fifo',
  stageResultsDeadLetters: 'stage-results-dlq.fifo',
} as const;

/** The group of EventBridge Scheduler's one-time schedules that re-check an order later. */
export const ORDER_RECHECK_SCHEDULE_GROUP = 'order-rechecks';
