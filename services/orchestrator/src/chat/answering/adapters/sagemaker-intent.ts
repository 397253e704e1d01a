import {
  InvokeEndpointCommand,
  type SageMakerRuntimeClient,
} from '@aws-sdk/client-sagemaker-runtime';
import { INTENTS, type Intent } from '@matsuri/contract';
import { z } from 'zod';
import type { IntentReader } from '../ports';

const verdict = z.object({ label: z.enum(INTENTS) });
const LONGEST_TEXT = 2_000;

/** Asks the classifier behind a SageMaker endpoint. */
export function createSageMakerIntent(
  client: Pick<SageMakerRuntimeClient, 'send'>,
  endpoint: string,
): IntentReader {
  return async (text, signal): Promise<Intent> => {
    const { Body } = await client.send(
      new InvokeEndpointCommand({
        EndpointName: endpoint,
        ContentType: 'application/json',
        Accept: 'application/json',
        Body: Buffer.from(JSON.stringify({ text: text.slice(0, LONGEST_TEXT).toWellFormed() })),
      }),
      { abortSignal: signal },
    );
    return verdict.parse(JSON.parse(Body.transformToString())).label;
  };
}
