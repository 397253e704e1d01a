import type { PlatformConfiguration } from '@matsuri/contract';
import { RemovalPolicy } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import * as elasticache from 'aws-cdk-lib/aws-elasticache';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { TokenRotation } from './token-rotation';

export interface ChatCacheProps {
  readonly vpc: ec2.IVpc;
  readonly encryptionKey: kms.IKey;
  readonly nodeType: string;
  /** Beyond the primary; at least one, or a lost zone takes the shared limits with it. */
  readonly replicas: number;
  readonly maxMemoryPolicy: PlatformConfiguration['data']['redis']['maxMemoryPolicy'];
}

const PORT = 6379;
const TOKEN_LENGTH = 64;
const ROTATE_EVERY_DAYS = 90;

/** Valkey over several zones: caches, shared limits, hints. Spoken to over TLS, with a token that rotates. */
export class ChatCache extends Construct {
  private readonly group: elasticache.CfnReplicationGroup;
  private readonly token: secretsmanager.Secret;
  private readonly access: ec2.SecurityGroup;

  constructor(scope: Construct, id: string, props: ChatCacheProps) {
    super(scope, id);
    this.access = new ec2.SecurityGroup(this, 'Access', {
      vpc: props.vpc,
      description: 'Valkey: only programs that were allowed to connect',
      allowAllOutbound: false,
    });
    this.token = new secretsmanager.Secret(this, 'Token', {
      description: 'What programs show to Valkey',
      encryptionKey: props.encryptionKey,
      generateSecretString: { passwordLength: TOKEN_LENGTH, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.group = this.createGroup(props);
    new TokenRotation(this, 'Rotation', {
      secret: this.token,
      replicationGroup: this.group,
      everyDays: ROTATE_EVERY_DAYS,
    });
  }

  /** Opens the way for a program; returns what it needs to connect. */
  allowConnecting(program: ec2.IConnectable): {
    readonly variables: { readonly REDIS_URL: string };
    readonly secrets: { readonly REDIS_PASSWORD: ecs.Secret };
  } {
    program.connections.allowTo(this.access, ec2.Port.tcp(PORT), 'Valkey');
    return {
      variables: { REDIS_URL: `rediss://${this.group.attrPrimaryEndPointAddress}:${PORT}` },
      secrets: { REDIS_PASSWORD: ecs.Secret.fromSecretsManager(this.token) },
    };
  }

  private createGroup(props: ChatCacheProps): elasticache.CfnReplicationGroup {
    const subnets = new elasticache.CfnSubnetGroup(this, 'Subnets', {
      description: 'Where Valkey lives',
      subnetIds: props.vpc.selectSubnets({ subnetType: ec2.SubnetType.PRIVATE_ISOLATED }).subnetIds,
    });
    const parameters = new elasticache.CfnParameterGroup(this, 'Parameters', {
      cacheParameterGroupFamily: 'valkey8',
      description: 'What happens when memory is full',
      properties: { 'maxmemory-policy': props.maxMemoryPolicy },
    });
    return new elasticache.CfnReplicationGroup(this, 'Group', {
      replicationGroupDescription: 'Caches, shared limits and hints of the chat platform',
      engine: 'valkey',
      engineVersion: '8.0',
      cacheNodeType: props.nodeType,
      numNodeGroups: 1,
      replicasPerNodeGroup: props.replicas,
      automaticFailoverEnabled: true,
      multiAzEnabled: true,
      port: PORT,
      atRestEncryptionEnabled: true,
      kmsKeyId: props.encryptionKey.keyId,
      transitEncryptionEnabled: true,
      transitEncryptionMode: 'required',
      authToken: this.token.secretValue.unsafeUnwrap(),
      cacheParameterGroupName: parameters.ref,
      cacheSubnetGroupName: subnets.ref,
      securityGroupIds: [this.access.securityGroupId],
      // What it holds can be lost; a day of snapshots spares the cold start after a mistake.
      snapshotRetentionLimit: 1,
      autoMinorVersionUpgrade: true,
    });
  }
}
