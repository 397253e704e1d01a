import {
  DescribeReplicationGroupsCommand,
  ElastiCacheClient,
  ModifyReplicationGroupCommand,
} from '@aws-sdk/client-elasticache';
import type { ReplicationGroup } from '@aws-sdk/client-elasticache';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { GetSecretValueCommandOutput } from '@aws-sdk/client-secrets-manager';
import { randomBytes } from 'node:crypto';

interface RotationEvent {
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
  readonly SecretId: string;
  readonly ClientRequestToken: string;
}

interface Invocation {
  getRemainingTimeInMillis(): number;
}

const secrets = new SecretsManagerClient();
const cache = new ElastiCacheClient();
const groupId = process.env['REPLICATION_GROUP_ID'];
const POLL_MS = Number(process.env['POLL_MS'] ?? 10_000);
const LAST_WORDS_MS = 15_000;

/** The four steps that Secrets Manager asks for. When one fails, all are repeated with the same version. */
export async function handler(event: RotationEvent, invocation: Invocation): Promise<void> {
  const current = await currentVersion(event.SecretId);
  if (current === event.ClientRequestToken) return;
  switch (event.Step) {
    case 'createSecret':
      return createToken(event);
    case 'setSecret':
      return giveToken(event, invocation);
    case 'testSecret':
      await settledCache(invocation);
      return;
    case 'finishSecret':
      return makeCurrent(event, current);
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

/**
 * ROTATE adds the new token beside the current one: both open the door until the next rotation. The cache remembers
 * two, so a second ROTATE to the same token could push out the one that running tasks hold.
 */
async function giveToken(event: RotationEvent, invocation: Invocation): Promise<void> {
  const made = await pending(event.SecretId, event.ClientRequestToken);
  if (made?.SecretString === undefined || made.CreatedDate === undefined) {
    throw new Error(`Version ${event.ClientRequestToken} has no pending token to give`);
  }
  const { AuthTokenLastModifiedDate: lastGiven } = await settledCache(invocation);
  if (lastGiven !== undefined && lastGiven > made.CreatedDate) return;
  await cache.send(
    new ModifyReplicationGroupCommand({
      ReplicationGroupId: groupId,
      AuthToken: made.SecretString,
      AuthTokenUpdateStrategy: 'ROTATE',
      ApplyImmediately: true,
    }),
  );
}

/** A change of token takes minutes; failing meanwhile would begin the rotation anew, change and all. */
async function settledCache(invocation: Invocation): Promise<ReplicationGroup> {
  for (;;) {
    const { ReplicationGroups: [group] = [] } = await cache.send(
      new DescribeReplicationGroupsCommand({ ReplicationGroupId: groupId }),
    );
    const changing = group?.PendingModifiedValues?.AuthTokenStatus !== undefined;
    if (group?.Status === 'available' && !changing) return group;
    if (invocation.getRemainingTimeInMillis() < LAST_WORDS_MS + POLL_MS) {
      throw new Error(`The cache is ${group?.Status}, try later`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function currentVersion(SecretId: string): Promise<string | undefined> {
  const { VersionIdsToStages = {} } = await secrets.send(new DescribeSecretCommand({ SecretId }));
  return Object.keys(VersionIdsToStages).find((version) =>
    VersionIdsToStages[version]?.includes('AWSCURRENT'),
  );
}

async function makeCurrent(
  { SecretId, ClientRequestToken }: RotationEvent,
  current: string | undefined,
): Promise<void> {
  await secrets.send(
    new UpdateSecretVersionStageCommand({
      SecretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: ClientRequestToken,
      RemoveFromVersionId: current,
    }),
  );
}

async function pending(
  SecretId: string,
  VersionId: string,
): Promise<GetSecretValueCommandOutput | undefined> {
  const asked = { SecretId, VersionId, VersionStage: 'AWSPENDING' };
  try {
    return await secrets.send(new GetSecretValueCommand(asked));
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
