import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';
import { commitmentEndsAtMs, statusOf } from './core/throughput';
import type { Throughput } from './core/throughput';
import { findModel, isLegacy, modelArn } from './foundation-models';
import type { ModelOffer } from './foundation-models';
import type { RestRoute } from './rest-json-protocol';
import type { ThroughputBook } from './throughput-book';

const ONE = '/provisioned-model-throughput/{provisionedModelId}';

/** The part of Bedrock's control plane that is served. */
export const ROUTES: readonly RestRoute[] = [
  {
    operation: 'CreateProvisionedModelThroughput',
    method: 'POST',
    path: '/provisioned-model-throughput',
    status: 201,
  },
  { operation: 'GetProvisionedModelThroughput', method: 'GET', path: ONE, status: 200 },
  { operation: 'UpdateProvisionedModelThroughput', method: 'PATCH', path: ONE, status: 200 },
  { operation: 'DeleteProvisionedModelThroughput', method: 'DELETE', path: ONE, status: 200 },
  {
    operation: 'ListProvisionedModelThroughputs',
    method: 'GET',
    path: '/provisioned-model-throughputs',
    status: 200,
  },
  {
    operation: 'GetFoundationModel',
    method: 'GET',
    path: '/foundation-models/{modelIdentifier}',
    status: 200,
  },
  { operation: 'ListFoundationModels', method: 'GET', path: '/foundation-models', status: 200 },
  {
    operation: 'GetInferenceProfile',
    method: 'GET',
    path: '/inference-profiles/{inferenceProfileIdentifier}',
    status: 200,
  },
  { operation: 'ListInferenceProfiles', method: 'GET', path: '/inference-profiles', status: 200 },
];

const name = z.string().min(1).max(63);
const reference = z.object({ provisionedModelId: z.string() });
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const listInput = z.object({
  creationTimeAfter: instant.optional(),
  creationTimeBefore: instant.optional(),
  statusEquals: z.enum(['Creating', 'InService', 'Updating', 'Failed']).optional(),
  modelArnEquals: z.string().optional(),
  nameContains: z.string().optional(),
  maxResults: z.coerce.number().int().min(1).max(1000).default(100),
  nextToken: z.string().optional(),
  sortOrder: z.enum(['Ascending', 'Descending']).default('Descending'),
});

/** The calls that buy, show, rename and delete provisioned throughput. */
export function throughputOperations(
  book: ThroughputBook,
  offer: ModelOffer,
  clock: Clock,
): Operations {
  return {
    CreateProvisionedModelThroughput: operation(
      z.object({
        provisionedModelName: name,
        modelId: z.string(),
        modelUnits: z.number().int().min(1),
        commitmentDuration: z.enum(['OneMonth', 'SixMonths']).optional(),
        clientRequestToken: z.string().max(256).optional(),
      }),
      (input) => {
        const throughput = book.buy({
          name: input.provisionedModelName,
          modelArn: purchasable(offer, input.modelId, clock.nowMs()),
          modelUnits: input.modelUnits,
          commitment: input.commitmentDuration,
          clientRequestToken: input.clientRequestToken,
        });
        return { provisionedModelArn: throughput.arn };
      },
    ),

    GetProvisionedModelThroughput: operation(reference, (input) =>
      present(book.find(input.provisionedModelId), clock.nowMs()),
    ),

    ListProvisionedModelThroughputs: operation(listInput, (input) => {
      const nowMs = clock.nowMs();
      const wanted = book
        .list()
        .filter(
          (each) =>
            each.createdAtMs >= (input.creationTimeAfter ?? -Infinity) &&
            each.createdAtMs <= (input.creationTimeBefore ?? Infinity) &&
            (input.statusEquals ?? statusOf(each, nowMs)) === statusOf(each, nowMs) &&
            (input.modelArnEquals ?? each.modelArn) === each.modelArn &&
            each.name.includes(input.nameContains ?? ''),
        );
      const sorted = input.sortOrder === 'Ascending' ? wanted.toReversed() : wanted;
      const page = pageOf(sorted, input.maxResults, input.nextToken, 'ValidationException');
      return {
        provisionedModelSummaries: page.items.map((each) => present(each, nowMs)),
        nextToken: page.nextToken,
      };
    }),

    UpdateProvisionedModelThroughput: operation(
      reference.extend({
        desiredProvisionedModelName: name.optional(),
        desiredModelId: z.string().optional(),
      }),
      (input) => {
        const throughput = book.find(input.provisionedModelId);
        if (input.desiredModelId !== undefined) {
          throw new AwsError(
            'ValidationException',
            'The model of a provisioned throughput for a base model cannot be changed',
          );
        }
        book.rename(throughput, input.desiredProvisionedModelName ?? throughput.name);
      },
    ),

    DeleteProvisionedModelThroughput: operation(reference, (input) =>
      book.remove(book.find(input.provisionedModelId)),
    ),
  };
}

function purchasable(offer: ModelOffer, modelId: string, nowMs: number): string {
  const model = findModel(offer, modelId);
  if (model === undefined) {
    throw new AwsError(
      'ValidationException',
      `The provided model identifier is invalid: ${modelId}`,
    );
  }
  if (isLegacy(model, nowMs)) {
    throw new AwsError(
      'ValidationException',
      `${modelId} is legacy: no new throughput can be bought`,
    );
  }
  return modelArn(offer.region, modelId.slice(modelId.lastIndexOf('/') + 1));
}

function present(throughput: Throughput, nowMs: number): Record<string, unknown> {
  const status = statusOf(throughput, nowMs);
  const endsAtMs = commitmentEndsAtMs(throughput);
  return {
    provisionedModelName: throughput.name,
    provisionedModelArn: throughput.arn,
    modelArn: throughput.modelArn,
    desiredModelArn: throughput.modelArn,
    foundationModelArn: throughput.modelArn,
    modelUnits: throughput.modelUnits,
    desiredModelUnits: throughput.modelUnits,
    status,
    failureMessage: status === 'Failed' ? throughput.failure : undefined,
    commitmentDuration: throughput.commitment,
    commitmentExpirationTime: endsAtMs === undefined ? undefined : new Date(endsAtMs).toISOString(),
    creationTime: new Date(throughput.createdAtMs).toISOString(),
    lastModifiedTime: new Date(throughput.modifiedAtMs).toISOString(),
  };
}
