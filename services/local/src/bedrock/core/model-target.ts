import { z } from 'zod';

import { AwsError } from '../../wire/aws-error';
import type { Model } from './models';

/** One bought capacity: its ARN in place of a model id, its own tokens per minute. */
export const provisionedSchema = z.object({
  arn: z.string().regex(/^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:provisioned-model\/[a-z0-9]+$/),
  /** The model behind it: an id of the stand-in's models, with or without a profile's prefix. */
  modelId: z.string().min(1),
  units: z.int().positive(),
  tokensPerMinutePerUnit: z.number().positive(),
  status: z.enum(['Creating', 'InService', 'Updating', 'Failed']).default('InService'),
});

export type ProvisionedOptions = z.input<typeof provisionedSchema>;
export type Provisioned = z.output<typeof provisionedSchema>;

/** What a request's `modelId` turned out to mean. */
export interface Target {
  readonly model: Model;
  /** The name its quota and its metrics go by. */
  readonly quotaKey: string;
  readonly provisioned?: Provisioned;
}

/** All that can be called in one region. */
export interface Offering {
  readonly models: ReadonlyMap<string, Model>;
  readonly provisioned: ReadonlyMap<string, Provisioned>;
}

/** Regions whose endpoints know a geographic profile, by the prefix of its id. */
const PROFILE_REGIONS: Readonly<Record<string, RegExp>> = {
  jp: /^ap-northeast-[13]$/,
  au: /^ap-southeast-[24]$/,
  apac: /^ap-/,
  us: /^(us|ca)-/,
  eu: /^eu-/,
  global: /^/,
};

const ARN = /^arn:aws[a-z-]*:bedrock:([a-z0-9-]*):(\d{12})?:([a-z-]+)\/(.+)$/;
const MODEL_ID = /^([a-z]+\.)?[a-z0-9-]+\.[a-z0-9][a-z0-9.:-]*$/;

/** Finds what a `modelId` names in a region, or throws what Bedrock throws. */
export function resolveTarget(offering: Offering, modelId: string, region: string): Target {
  const arn = ARN.exec(modelId);
  if (!arn) return modelTarget(offering, modelId, region);
  const [, arnRegion = '', , kind = '', name = ''] = arn;
  if (arnRegion !== region) throw invalidIdentifier();
  switch (kind) {
    case 'provisioned-model':
      return provisionedTarget(offering, modelId);
    case 'inference-profile':
    case 'foundation-model':
      return modelTarget(offering, name, region);
    default:
      throw notFound();
  }
}

function modelTarget(offering: Offering, id: string, region: string): Target {
  if (!MODEL_ID.test(id)) throw invalidIdentifier();
  const model = offering.models.get(id);
  if (!model) throw needsProfile(offering, id) ? onDemandUnsupported(id) : notFound();
  const regions = PROFILE_REGIONS[id.split('.')[0] ?? ''];
  if (regions && !regions.test(region)) throw invalidIdentifier();
  return { model, quotaKey: id };
}

function provisionedTarget(offering: Offering, arn: string): Target {
  const provisioned = offering.provisioned.get(arn);
  if (!provisioned) throw notFound();
  if (provisioned.status !== 'InService' && provisioned.status !== 'Updating') {
    throw new AwsError(
      'ModelNotReadyException',
      'The model specified in the request is not ready to serve inference requests.',
      429,
    );
  }
  const model = findModel(offering, provisioned.modelId);
  if (!model) throw notFound();
  return { model, quotaKey: arn, provisioned };
}

function findModel(offering: Offering, id: string): Model | undefined {
  return offering.models.get(id) ?? offering.models.get(profilesOf(offering, id)[0] ?? '');
}

function needsProfile(offering: Offering, id: string): boolean {
  return profilesOf(offering, id).length > 0;
}

function profilesOf(offering: Offering, bareId: string): string[] {
  return Object.keys(PROFILE_REGIONS)
    .map((prefix) => `${prefix}.${bareId}`)
    .filter((id) => offering.models.has(id));
}

function onDemandUnsupported(id: string): AwsError {
  return new AwsError(
    'ValidationException',
    `Invocation of model ID ${id} with on-demand throughput isn’t supported. Retry your request ` +
      'with the ID or ARN of an inference profile that contains this model.',
  );
}

function invalidIdentifier(): AwsError {
  return new AwsError('ValidationException', 'The provided model identifier is invalid.');
}

function notFound(): AwsError {
  return new AwsError(
    'ResourceNotFoundException',
    'Could not resolve the foundation model from the provided model identifier.',
    404,
  );
}
