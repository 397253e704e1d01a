import {
  DescribeReplicationGroupsCommand,
  ElastiCacheClient,
  ModifyReplicationGroupCommand,
} from '@aws-sdk/client-elasticache';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { randomBytes } from 'node:crypto';

interface RotationEvent {
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
  readonly SecretId: string;
  readonly ClientRequestToken: string;
}

const secrets = new SecretsManagerClient();
const cache = new ElastiCacheClient();
const groupId = process.env['REPLICATION_GROUP_ID'];

/** The four steps that Secrets Manager asks for; each may be repeated. */
export async function handler(event: RotationEvent): Promise<void> {
  switch (event.Step) {
    case 'createSecret':
      return createToken(event);
    case 'setSecret':
      return giveToken(event);
    case 'testSecret':
      return awaitCache();
    case 'finishSecret':
      return makeCurrent(event);
  }
}

async function createToken({ SecretId, ClientRequestToken }: RotationEvent): Promise<void> {
  if ((await pending(SecretId, ClientRequestToken)) !== undefined) return;
  await secrets.send(
    new PutSecretValueCommand({
      SecretId,
      ClientRequestToken,
      SecretString: randomBytes(32).toString('hex'),
      VersionStages: ['AWSPENDING'],
    }),
  );
}

/** ROTATE adds the new token beside the current one: both open the door until the next rotation. */
async function giveToken({ SecretId, ClientRequestToken }: RotationEvent): Promise<void> {
  await awaitCache();
  await cache.send(
    new ModifyReplicationGroupCommand({
      ReplicationGroupId: groupId,
      AuthToken: await pending(SecretId, ClientRequestToken),
      AuthTokenUpdateStrategy: 'ROTATE',
      ApplyImmediately: true,
    }),
  );
}

/** Throws while the cache is being changed; Secrets Manager then tries the step again. */
async function awaitCache(): Promise<void> {
  const { ReplicationGroups: [group] = [] } = await cache.send(
    new DescribeReplicationGroupsCommand({ ReplicationGroupId: groupId }),
  );
  if (group?.Status !== 'available') throw new Error(`The cache is ${group?.Status}, try later`);
}

async function makeCurrent({ SecretId, ClientRequestToken }: RotationEvent): Promise<void> {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  const current = Object.keys(VersionIdsToStages).find((version) =>
    VersionIdsToStages[version]?.includes('AWSCURRENT'),
  );
  if (current === ClientRequestToken) return;
  await secrets.send(
    new UpdateSecretVersionStageCommand({
      SecretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: ClientRequestToken,
      RemoveFromVersionId: current,
    }),
  );
}

async function pending(SecretId: string, VersionId: string): Promise<string | undefined> {
  const asked = { SecretId, VersionId, VersionStage: 'AWSPENDING' };
  try {
    return (await secrets.send(new GetSecretValueCommand(asked))).SecretString;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
