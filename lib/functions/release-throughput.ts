import {
  BedrockClient,
  DeleteProvisionedModelThroughputCommand,
  ListProvisionedModelThroughputsCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-bedrock';
import type { ProvisionedModelSummary } from '@aws-sdk/client-bedrock';

interface LifecycleEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly PhysicalResourceId?: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
}

interface Invocation {
  getRemainingTimeInMillis(): number;
}

const bedrock = new BedrockClient();
const prefix = process.env['NAME_PREFIX'] ?? '';
const POLL_MS = Number(process.env['POLL_MS'] ?? 15_000);
const LAST_WORDS_MS = 30_000;

/** CloudFormation takes 4,096 bytes in all. */
const LONGEST_REASON = 1_000;

/** When the stack goes, so does what its autoscaler bought: units are billed by the hour until they are given back. */
export async function handler(event: LifecycleEvent, invocation: Invocation): Promise<void> {
  let outcome: object = { Status: 'SUCCESS' };
  try {
    if (event.RequestType === 'Delete') await giveEverythingBack(invocation);
  } catch (error) {
    outcome = { Status: 'FAILED', Reason: String(error).slice(0, LONGEST_REASON) };
  }
  await answer(event, outcome);
}

/** What is still being made can only be given back once it is made. */
async function giveEverythingBack(invocation: Invocation): Promise<void> {
  for (;;) {
    const refused = await giveBack(await ours());
    if (refused.length === 0) return;
    const [first] = refused;
    const hopeless = refused.some(({ status }) => status !== 'Creating' && status !== 'Updating');
    if (hopeless || invocation.getRemainingTimeInMillis() < LAST_WORDS_MS + POLL_MS) {
      throw new Error(
        `Not given back, still billed: ${refused.map(({ name }) => name).join(', ')} (${String(first?.why)}). Delete the stack again.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** All pages first: a list that shrinks while it is paged through skips some. */
async function ours(): Promise<ProvisionedModelSummary[]> {
  // Without a prefix everything in the account would be ours.
  if (prefix === '') throw new Error('NAME_PREFIX is not set');
  const all: ProvisionedModelSummary[] = [];
  let nextToken: string | undefined;
  do {
    const page = await bedrock.send(
      new ListProvisionedModelThroughputsCommand({ nameContains: prefix, nextToken }),
    );
    all.push(...(page.provisionedModelSummaries ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return all.filter(({ provisionedModelName: name }) => name?.startsWith(prefix));
}

async function giveBack(bought: readonly ProvisionedModelSummary[]) {
  const refused = [];
  for (const each of bought) {
    const { provisionedModelArn: arn, provisionedModelName: name, status } = each;
    const { commitmentDuration: term, commitmentExpirationTime: until } = each;
    if (term !== undefined && (until === undefined || until > new Date())) {
      // A commitment cannot be given back before its term; it is named, so that somebody notes the date.
      console.warn('still billed', arn, term, until);
      continue;
    }
    try {
      await bedrock.send(new DeleteProvisionedModelThroughputCommand({ provisionedModelId: arn }));
    } catch (why) {
      if (!(why instanceof ResourceNotFoundException)) refused.push({ name, status, why });
    }
  }
  return refused;
}

async function answer(event: LifecycleEvent, outcome: object): Promise<void> {
  const { StackId, RequestId, LogicalResourceId, PhysicalResourceId = 'throughput' } = event;
  const body = { ...outcome, StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  // The address is signed for no content type; with the one that fetch would add, S3 says 403.
  const headers = { 'content-type': '' };
  const sent = { method: 'PUT', headers, body: JSON.stringify(body) };
  const { ok, status } = await fetch(event.ResponseURL, sent);
  // Lambda then calls again; giving back twice is harmless.
  if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}`);
}
