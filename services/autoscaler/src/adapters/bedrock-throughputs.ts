import {
  CreateProvisionedModelThroughputCommand,
  DeleteProvisionedModelThroughputCommand,
  ListProvisionedModelThroughputsCommand,
  type BedrockClient,
  type ProvisionedModelSummary,
} from '@aws-sdk/client-bedrock';
import {
  CHAT_ALIASES,
  ENVIRONMENT_TAG,
  modelOfProfile,
  type ChatAlias,
  type PlatformConfiguration,
} from '@matsuri/contract';
import type { Throughput } from '../core';
import type { ThroughputMarket } from '../ports';
import { nameOf, originOf, prefixOf } from '../reading/core/throughput-name';
import { inTime, isNamed } from './aws-call';

const COMMITMENTS = { OneMonth: 'one_month', SixMonths: 'six_months' } as const;
const STATUSES = {
  Creating: 'creating',
  InService: 'in_service',
  Updating: 'updating',
  Failed: 'failed',
} as const;

/** Provisioned throughput of this account and region, as far as it serves the models of this environment. */
export function bedrockThroughputs(
  client: BedrockClient,
  configuration: PlatformConfiguration,
): ThroughputMarket {
  const prefix = prefixOf(configuration.product.name, configuration.environment);
  const aliases = aliasesByModel(configuration);

  return {
    async list() {
      const found: Throughput[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.send(
          new ListProvisionedModelThroughputsCommand({ maxResults: 100, nextToken }),
          inTime(),
        );
        for (const summary of page.provisionedModelSummaries ?? []) {
          found.push(...throughputOf(summary, prefix, aliases));
        }
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return found;
    },

    async buy({ alias, units, token }) {
      const name = nameOf(prefix, token);
      await client.send(
        new CreateProvisionedModelThroughputCommand({
          provisionedModelName: name,
          clientRequestToken: name,
          modelId: purchaseModelId(configuration, alias),
          modelUnits: units,
          // Without it the autoscaler may neither buy nor give back.
          tags: [{ key: ENVIRONMENT_TAG, value: configuration.environment }],
        }),
        inTime(),
      );
    },

    async giveBack(arn) {
      const command = new DeleteProvisionedModelThroughputCommand({ provisionedModelId: arn });
      try {
        await client.send(command, inTime());
      } catch (error) {
        if (!isNamed(error, 'ResourceNotFoundException')) throw error;
      }
    },
  };
}

function throughputOf(
  summary: ProvisionedModelSummary,
  prefix: string,
  aliases: ReadonlyMap<string, ChatAlias>,
): Throughput[] {
  const { provisionedModelArn: arn, provisionedModelName: fullName = '', status } = summary;
  const alias = aliases.get(modelIdOf(summary.foundationModelArn ?? summary.modelArn ?? ''));
  const units = summary.modelUnits ?? 0;
  const origin = originOf(prefix, fullName);
  // Another environment's are its own affair.
  if (arn === undefined || alias === undefined || units === 0 || status === undefined) return [];
  if (origin.kind === 'other-environment') return [];
  const { commitmentDuration: duration } = summary;
  return [
    {
      arn,
      name: origin.kind === 'ours' ? origin.token : fullName,
      alias,
      units,
      commitment: duration === undefined ? 'none' : COMMITMENTS[duration],
      status: STATUSES[status],
      boughtFor: origin.kind === 'ours' ? origin.cause : undefined,
    },
  ];
}

/** Every id by which a purchase may name a model of an alias. */
function aliasesByModel(configuration: PlatformConfiguration): ReadonlyMap<string, ChatAlias> {
  const { models } = configuration;
  const named = CHAT_ALIASES.flatMap((alias) => [
    ...models.aliases[alias].flatMap(({ profile }): [string, ChatAlias][] => {
      const id = modelOfProfile(models, profile)?.bedrockId;
      return id === undefined ? [] : [[id, alias]];
    }),
    [purchaseModelId(configuration, alias), alias] as const,
  ]);
  return new Map(named.toReversed());
}

function purchaseModelId({ models, provisioned }: PlatformConfiguration, alias: ChatAlias): string {
  const first = models.aliases[alias][0]?.profile ?? '';
  return provisioned.purchaseModelIds[alias] ?? modelOfProfile(models, first)?.bedrockId ?? '';
}

function modelIdOf(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1);
}
