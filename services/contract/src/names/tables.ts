/** Key attributes of a DynamoDB table; all of them are strings. */
export interface TableDefinition {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** DynamoDB's TTL only cleans up: readers compare this attribute (epoch seconds) themselves. */
  readonly ttlAttribute?: string;
  readonly indexes?: readonly TableIndex[];
}

export interface TableIndex {
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** DynamoDB tables. Writes are single-item and conditional; there are no transactions. */
export const TABLES = {
  /** A chat session and its turns: one partition per session. */
  sessions: {
    name: 'sessions',
    partitionKey: 'session_key',
    sortKey: 'item_key',
    ttlAttribute: 'expires_at',
  },
  /** The record of truth of the catalogue; OpenSearch is its index. */
  catalogue: { name: 'catalogue', partitionKey: 'tenant_id', sortKey: 'title_id' },
  /** The autoscaler's lease (with its epoch), persisted state and freeze switches. */
  autoscaler: { name: 'autoscaler', partitionKey: 'item' },
  /** Desired state of the fleet: one item per user, one per warm worker. */
  fleet: {
    name: 'fleet',
    partitionKey: 'item_key',
    ttlAttribute: 'expires_at',
    indexes: [{ name: 'by-shard', partitionKey: 'shard', sortKey: 'item_key' }],
  },
} as const satisfies Record<string, TableDefinition>;

/** Items of the autoscaler table. */
export const AUTOSCALER_ITEMS = {
  lease: 'lease',
  state: 'state',
  freezeScaleIn: 'freeze-scale-in',
  freezeScaleOut: 'freeze-scale-out',
  /** While it exists, provisioned throughput is drained and given back, whatever the configuration says. */
  provisionedOff: 'provisioned-off',
} as const;
