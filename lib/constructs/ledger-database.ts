import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as rds from 'aws-cdk-lib/aws-rds';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { acknowledge } from './acknowledge';

export interface LedgerDatabaseProps {
  readonly vpc: ec2.IVpc;
  readonly encryptionKey: kms.IKey;
  readonly minCapacityUnits: number;
  readonly maxCapacityUnits: number;
  readonly readers: number;
  readonly maxConnections: number;
  /** Whether the data outlives the stack, as a last snapshot. */
  readonly keepsData: boolean;
}

/** What a program needs to connect; the URL carries no credentials. */
interface DatabaseInputs {
  readonly variables: { readonly DATABASE_URL: string };
  readonly readerUrl: string;
  readonly secrets: { readonly DATABASE_USER: ecs.Secret; readonly DATABASE_PASSWORD: ecs.Secret };
}

const DATABASE = 'matsuri';
const OWNER = 'matsuri_owner';
const PROGRAMS_USER = 'matsuri_programs';
const BACKUP_DAYS = 14;
const ROTATE_EVERY_DAYS = 30;

/**
 * Aurora PostgreSQL for what must not be lost: tokens and the usage ledger. Two users: the owner, with whom the
 * schema is migrated, and the programs' one, which alternates with its clone when its password rotates, so that
 * running tasks never hold a password that has just stopped being true.
 */
export class LedgerDatabase extends Construct {
  private readonly cluster: rds.DatabaseCluster;
  private readonly programs: rds.DatabaseSecret;
  private readonly owner: secretsmanager.ISecret;

  constructor(scope: Construct, id: string, props: LedgerDatabaseProps) {
    super(scope, id);
    this.cluster = this.createCluster(props);
    if (!props.keepsData) {
      acknowledge(
        this.cluster,
        'RDS10',
        'An environment that keeps no data must be easy to delete.',
      );
    }
    this.owner = ownerOf(this.cluster);
    this.programs = new rds.DatabaseSecret(this, 'Programs', {
      username: PROGRAMS_USER,
      masterSecret: this.owner,
      encryptionKey: props.encryptionKey,
      excludeCharacters: NO_PUNCTUATION,
    });
    this.rotate(props.vpc);
  }

  /** Opens the way for a program; returns what it needs to read and write. */
  allowConnecting(program: ec2.IConnectable): DatabaseInputs {
    return this.openFor(program, this.programs);
  }

  /** Opens the way for the one-off that changes the schema and lets the programs' user in. */
  allowMigrating(program: ec2.IConnectable): DatabaseInputs & {
    readonly programs: { readonly user: ecs.Secret; readonly password: ecs.Secret };
  } {
    return {
      ...this.openFor(program, this.owner),
      programs: {
        user: ecs.Secret.fromSecretsManager(this.programs, 'username'),
        password: ecs.Secret.fromSecretsManager(this.programs, 'password'),
      },
    };
  }

  private openFor(program: ec2.IConnectable, user: secretsmanager.ISecret): DatabaseInputs {
    program.connections.allowToDefaultPort(this.cluster, 'PostgreSQL');
    return {
      variables: { DATABASE_URL: urlOf(this.cluster.clusterEndpoint) },
      readerUrl: urlOf(this.cluster.clusterReadEndpoint),
      secrets: {
        DATABASE_USER: ecs.Secret.fromSecretsManager(user, 'username'),
        DATABASE_PASSWORD: ecs.Secret.fromSecretsManager(user, 'password'),
      },
    };
  }

  private createCluster(props: LedgerDatabaseProps): rds.DatabaseCluster {
    return new rds.DatabaseCluster(this, 'Cluster', {
      engine: rds.DatabaseClusterEngine.auroraPostgres({
        version: rds.AuroraPostgresEngineVersion.VER_17_7,
      }),
      writer: rds.ClusterInstance.serverlessV2('Writer'),
      // As large as the writer at any time: it is also what takes over.
      readers: Array.from({ length: props.readers }, (_, reader) =>
        rds.ClusterInstance.serverlessV2(`Reader${reader + 1}`, { scaleWithWriter: true }),
      ),
      serverlessV2MinCapacity: props.minCapacityUnits,
      serverlessV2MaxCapacity: props.maxCapacityUnits,
      vpc: props.vpc,
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_ISOLATED },
      defaultDatabaseName: DATABASE,
      credentials: rds.Credentials.fromGeneratedSecret(OWNER, {
        encryptionKey: props.encryptionKey,
        excludeCharacters: NO_PUNCTUATION,
      }),
      parameters: {
        max_connections: String(props.maxConnections),
        'rds.force_ssl': '1',
        log_min_duration_statement: '1000',
      },
      storageEncrypted: true,
      storageEncryptionKey: props.encryptionKey,
      iamAuthentication: true,
      backup: { retention: Duration.days(BACKUP_DAYS) },
      cloudwatchLogsExports: ['postgresql'],
      copyTagsToSnapshot: true,
      deletionProtection: props.keepsData,
      // Servers that outlived their stack would be billed by the hour and hold the network; a snapshot does neither.
      removalPolicy: props.keepsData ? RemovalPolicy.SNAPSHOT : RemovalPolicy.DESTROY,
    });
  }

  private rotate(vpc: ec2.IVpc): void {
    const schedule = {
      vpc,
      vpcSubnets: { subnetType: ec2.SubnetType.PRIVATE_WITH_EGRESS },
      excludeCharacters: NO_PUNCTUATION,
      automaticallyAfter: Duration.days(ROTATE_EVERY_DAYS),
      // The programs' user exists only after the first migration.
      rotateImmediatelyOnUpdate: false,
    };
    this.cluster.addRotationSingleUser(schedule);
    this.cluster.addRotationMultiUser('Programs', {
      ...schedule,
      secret: this.programs.attach(this.cluster),
    });
  }
}

/** A password is put into URLs and shells; letters and digits pass through both unharmed. */
const NO_PUNCTUATION = ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

function urlOf(endpoint: rds.Endpoint): string {
  return `postgres://${endpoint.socketAddress}/${DATABASE}?sslmode=verify-full`;
}

function ownerOf({ secret }: rds.DatabaseCluster): secretsmanager.ISecret {
  if (secret === undefined) throw new Error('The cluster has no secret of its owner');
  return secret;
}
