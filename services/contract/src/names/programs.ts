/** Long-running programs; each is a folder under `services` and, prefixed by the product, an ECS service. */
export const SERVICES = {
  orchestrator: 'orchestrator',
  api: 'api',
  autoscaler: 'autoscaler',
  jobs: 'jobs',
  worker: 'worker',
} as const;

/** Programs that run once before a service update and end. */
export const ONE_OFF_TASKS = {
  migrate: 'migrate',
  loadCatalogue: 'load-catalogue',
} as const;

/** The Lambda functions of the fleet's control plane. */
export const FUNCTIONS = {
  workerControl: 'worker_control',
  orderTasks: 'order_tasks',
  maintenance: 'maintenance',
  maintenanceWorker: 'maintenance_worker',
  poolManager: 'pool_manager',
} as const;

export type FunctionKey = keyof typeof FUNCTIONS;

/** The ECS service name of a program, e.g. `mangaassist-orchestrator`. */
export function serviceName(product: string, service: keyof typeof SERVICES): string {
  return `${product}-${SERVICES[service]}`;
}
