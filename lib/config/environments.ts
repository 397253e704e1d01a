import type { PlatformOverrides } from '@matsuri/contract';

/** What one deployment of the platform chooses; everything else is the contract's default. */
export interface EnvironmentChoices {
  /**
   * The AWS account.
   *
   * @default the account of the credentials at deploy time
   */
  readonly account?: string;
  /**
   * Zone names, not looked up, so that synth needs no credentials. Zone names differ between accounts: leave out
   * the one whose id is apne1-az3, where CloudFront has no VPC origins.
   */
  readonly availabilityZones: readonly string[];
  readonly natGateways: number;
  readonly platform: PlatformOverrides;
}

const TOKYO_ZONES = ['ap-northeast-1a', 'ap-northeast-1c'] as const;

/** Differences are sizes and switches; no code asks which environment it is in. */
export const ENVIRONMENTS = {
  dev: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 1,
    platform: { environment: 'dev', profile: 'baseline' },
  },
  staging: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 1,
    platform: { environment: 'staging', profile: 'genai' },
  },
  prod: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 2,
    platform: { environment: 'prod', profile: 'genai' },
  },
} as const satisfies Record<string, EnvironmentChoices>;
