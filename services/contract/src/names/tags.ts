/** On everything a stack creates and on every purchase: whose it is. Permissions and clean-up go by it. */
export const ENVIRONMENT_TAG = 'matsuri:environment';

/** What the names of an environment's purchases of provisioned throughput begin with. */
export function purchasePrefix(product: string, environment: string): string {
  return `${product}-${environment}-`;
}
