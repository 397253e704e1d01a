import {
  BedrockClient,
  DeleteProvisionedModelThroughputCommand,
  ListProvisionedModelThroughputsCommand,
} from '@aws-sdk/client-bedrock';

interface LifecycleEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly PhysicalResourceId?: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
}

const bedrock = new BedrockClient();
const prefix = process.env['NAME_PREFIX'] ?? '';

/** When the stack goes, so does what its autoscaler bought: units are billed by the hour until they are given back. */
export async function handler(event: LifecycleEvent): Promise<void> {
  try {
    if (event.RequestType === 'Delete') await giveEverythingBack();
    await answer(event, { Status: 'SUCCESS' });
  } catch (error) {
    await answer(event, { Status: 'FAILED', Reason: String(error) });
  }
}

async function giveEverythingBack(): Promise<void> {
  let nextToken: string | undefined;
  do {
    const page = await bedrock.send(
      new ListProvisionedModelThroughputsCommand({ nameContains: prefix, nextToken }),
    );
    for (const bought of page.provisionedModelSummaries ?? []) {
      if (!bought.provisionedModelName?.startsWith(prefix)) continue;
      if (bought.commitmentDuration === undefined) {
        const provisionedModelId = bought.provisionedModelArn;
        await bedrock.send(new DeleteProvisionedModelThroughputCommand({ provisionedModelId }));
      } else {
        // A commitment cannot be given back before its term; it is named, so that somebody notes the date.
        console.warn('still billed', bought.provisionedModelArn, bought.commitmentDuration);
      }
    }
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
}

async function answer(event: LifecycleEvent, outcome: object): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = 'throughput' } = event;
  const body = { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  await fetch(event.ResponseURL, { method: 'PUT', body: JSON.stringify(body) });
}
