import { TABLES } from '@matsuri/contract';
import type { PlatformConfiguration } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

import type { DataChoices } from '../config/environments';
import { AccessSecrets } from '../constructs/access-secrets';
import { ChatCache } from '../constructs/chat-cache';
import { DataKey } from '../constructs/data-key';
import { LedgerDatabase } from '../constructs/ledger-database';
import { PlatformTable } from '../constructs/platform-table';
import { VectorCollection } from '../constructs/vector-collection';

export interface DataStackProps extends StackProps {
  readonly vpc: ec2.IVpc;
  readonly platform: PlatformConfiguration;
  readonly sizes: DataChoices;
  readonly keepsData: boolean;
}

const CATALOGUE_INDEX = 'catalogue';

/** Everything that remembers. The other stacks can be deleted and built again; this one is protected. */
export class DataStack extends Stack {
  readonly key: kms.IKey;
  readonly sessions: PlatformTable;
  readonly catalogue: PlatformTable;
  readonly cache: ChatCache;
  readonly database: LedgerDatabase;
  readonly vectors: VectorCollection;
  readonly access: AccessSecrets;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, { ...props, terminationProtection: props.keepsData });
    const { vpc, platform, sizes, keepsData } = props;
    this.key = new DataKey(this, 'Key', { keepsData }).key;
    const encryptionKey = this.key;
    const kept = { encryptionKey, keepsData };

    this.sessions = new PlatformTable(this, 'Sessions', { ...kept, definition: TABLES.sessions });
    this.catalogue = new PlatformTable(this, 'Catalogue', {
      ...kept,
      definition: TABLES.catalogue,
    });
    this.cache = new ChatCache(this, 'Cache', {
      vpc,
      encryptionKey,
      nodeType: sizes.cacheNodeType,
      replicas: sizes.cacheReplicas,
      maxMemoryPolicy: platform.data.redis.maxMemoryPolicy,
    });
    this.database = new LedgerDatabase(this, 'Database', {
      ...kept,
      vpc,
      minCapacityUnits: sizes.databaseMinCapacityUnits,
      maxCapacityUnits: sizes.databaseMaxCapacityUnits,
      readers: sizes.databaseReaders,
      maxConnections: platform.data.postgres.maxConnections,
    });
    this.vectors = new VectorCollection(this, 'Vectors', {
      name: `${platform.environment}-catalogue`,
      index: CATALOGUE_INDEX,
      vpc,
      encryptionKey,
      standbyReplicas: keepsData,
    });
    this.access = new AccessSecrets(this, 'Access', kept);
  }
}
