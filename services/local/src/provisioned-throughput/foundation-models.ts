import type { ModelCatalogue } from '@matsuri/contract';
import { z } from 'zod';

import type { Clock } from '../clock/clock';
import { AwsError } from '../wire/aws-error';
import { operation } from '../wire/aws-operation';
import type { Operations } from '../wire/aws-operation';
import { pageOf } from '../wire/aws-page';

/** A model as Bedrock offers it. */
export interface FoundationModel {
  readonly modelId: string;
  /** From here it is legacy: no new throughput can be bought. */
  readonly legacyAtMs: number | undefined;
  readonly endOfLifeAtMs: number | undefined;
}

/** A cross-region inference profile. */
interface Profile {
  readonly profileId: string;
  readonly modelId: string;
  readonly regions: readonly string[];
}

/** What Bedrock offers in one region. */
export interface ModelOffer {
  readonly region: string;
  readonly models: readonly FoundationModel[];
  readonly profiles: readonly Profile[];
}

export type OfferedCatalogue = Pick<ModelCatalogue, 'models' | 'profiles'>;

export function offerOf(catalogue: OfferedCatalogue, region: string): ModelOffer {
  const models = Object.values(catalogue.models).map(({ bedrockId, lifecycle }) => ({
    modelId: bedrockId,
    legacyAtMs: dayStart(lifecycle.legacyOn),
    endOfLifeAtMs: dayStart(lifecycle.endOfLifeOn),
  }));
  const profiles = Object.entries(catalogue.profiles).map(([profileId, profile]) => ({
    profileId,
    modelId: catalogue.models[profile.model]?.bedrockId ?? profile.model,
    regions: profile.callableFrom,
  }));
  return { region, models, profiles };
}

export function isLegacy({ legacyAtMs }: FoundationModel, nowMs: number): boolean {
  return legacyAtMs !== undefined && legacyAtMs <= nowMs;
}

function dayStart(date: string | undefined): number | undefined {
  return date === undefined ? undefined : Date.parse(date);
}

export function modelArn(region: string, modelId: string): string {
  return `arn:aws:bedrock:${region}::foundation-model/${modelId}`;
}

/** By id or ARN; a context variant such as `:300k` belongs to its model. */
export function findModel(offer: ModelOffer, reference: string): FoundationModel | undefined {
  const id = reference.slice(reference.lastIndexOf('/') + 1);
  return offer.models.find(({ modelId }) => id === modelId || id.startsWith(`${modelId}:`));
}

/** The calls that say which models and profiles there are, and how long. */
export function modelOperations(offer: ModelOffer, clock: Clock): Operations {
  const present = (model: FoundationModel): unknown =>
    presentModel(model, offer.region, clock.nowMs());
  return {
    GetFoundationModel: operation(z.object({ modelIdentifier: z.string() }), (input) => {
      const model = findModel(offer, input.modelIdentifier);
      if (model === undefined) throw notFound('model', input.modelIdentifier);
      return { modelDetails: present(model) };
    }),

    ListFoundationModels: operation(z.object({}), () => ({
      modelSummaries: offer.models.map(present),
    })),

    GetInferenceProfile: operation(
      z.object({ inferenceProfileIdentifier: z.string() }),
      (input) => {
        const wanted = input.inferenceProfileIdentifier;
        const id = wanted.slice(wanted.lastIndexOf('/') + 1);
        const profile = offer.profiles.find(({ profileId }) => profileId === id);
        if (profile === undefined) throw notFound('inference profile', wanted);
        return presentProfile(profile, offer.region);
      },
    ),

    ListInferenceProfiles: operation(
      z.object({
        maxResults: z.coerce.number().int().min(1).max(1000).default(1000),
        nextToken: z.string().optional(),
      }),
      (input) => {
        const page = pageOf(
          offer.profiles,
          input.maxResults,
          input.nextToken,
          'ValidationException',
        );
        return {
          inferenceProfileSummaries: page.items.map((each) => presentProfile(each, offer.region)),
          nextToken: page.nextToken,
        };
      },
    ),
  };
}

function notFound(kind: string, id: string): AwsError {
  return new AwsError('ResourceNotFoundException', `There is no ${kind} ${id}`, 404);
}

function presentModel(
  model: FoundationModel,
  region: string,
  nowMs: number,
): Record<string, unknown> {
  const [provider = ''] = model.modelId.split('.');
  return {
    modelArn: modelArn(region, model.modelId),
    modelId: model.modelId,
    modelName: model.modelId,
    providerName: provider,
    inputModalities: ['TEXT'],
    outputModalities: ['TEXT'],
    responseStreamingSupported: true,
    inferenceTypesSupported: ['ON_DEMAND', 'PROVISIONED'],
    modelLifecycle: {
      status: isLegacy(model, nowMs) ? 'LEGACY' : 'ACTIVE',
      legacyTime: iso(model.legacyAtMs),
      endOfLifeTime: iso(model.endOfLifeAtMs),
    },
  };
}

function presentProfile(profile: Profile, region: string): Record<string, unknown> {
  return {
    inferenceProfileId: profile.profileId,
    inferenceProfileName: profile.profileId,
    inferenceProfileArn: `arn:aws:bedrock:${region}:000000000000:inference-profile/${profile.profileId}`,
    models: profile.regions.map((each) => ({ modelArn: modelArn(each, profile.modelId) })),
    status: 'ACTIVE',
    type: 'SYSTEM_DEFINED',
  };
}

function iso(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}
