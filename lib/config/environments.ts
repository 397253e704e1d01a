import type { PlatformOverrides } from '@matsuri/contract';
import * as logs from 'aws-cdk-lib/aws-logs';

/** The name users type, and the proof that it is ours. */
export interface DomainChoices {
  readonly name: string;
  /** Of the name, in us-east-1, where CloudFront looks for it. */
  readonly edgeCertificateArn: string;
  /** Of the same name, in the platform's region: CloudFront speaks TLS to the load balancer with it. */
  readonly originCertificateArn: string;
}

/** How large the servers behind the programs are. */
export interface DataChoices {
  readonly databaseMinCapacityUnits: number;
  readonly databaseMaxCapacityUnits: number;
  readonly databaseReaders: number;
  readonly cacheNodeType: string;
  /** Beyond the primary, each in another zone. */
  readonly cacheReplicas: number;
}

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
  /** `models`: prompts and answers stay off the internet's edge; `data`: so do secrets, images and logs. */
  readonly endpoints: 'models' | 'data';
  /**
   * Absent: CloudFront's own name, and plain HTTP between CloudFront and the load balancer, inside the network.
   * An environment that keeps its data must have one.
   */
  readonly domain?: DomainChoices;
  /** Beyond the domain, the origins whose pages may call: scheme and host. */
  readonly extraOrigins: readonly string[];
  /**
   * The managed prefix list `com.amazonaws.global.cloudfront.origin-facing` of the region: from where CloudFront
   * comes in. Not looked up, so that synth needs no credentials.
   */
  readonly edgePrefixList: string;
  /** Data outlives the stacks, and stacks that hold data refuse to be deleted. */
  readonly keepsData: boolean;
  readonly data: DataChoices;
  readonly logRetentionDays: logs.RetentionDays;
  /** Where people read docs/runbooks; alarms link to it. */
  readonly runbooksUrl: string;
  /** Who is woken, and who reads tickets in the morning. */
  readonly pageEmails: readonly string[];
  readonly ticketEmails: readonly string[];
  /**
   * A SageMaker endpoint that classifies intents.
   *
   * @default the `simple` model classifies
   */
  readonly intentEndpoint?: string;
  readonly platform: PlatformOverrides;
}

/** Of the repository itself; a team that reads its runbooks elsewhere writes the address here. */
const RUNBOOKS = 'docs/runbooks';
const TOKYO = 'ap-northeast-1';
const OSAKA = 'ap-northeast-3';
const TOKYO_EDGE_PREFIX_LIST = 'pl-58a04531';
const TOKYO_ZONES = ['ap-northeast-1a', 'ap-northeast-1c'] as const;

/**
 * What prod has to have been granted before it is deployed: the fullest hours of the calendar (a release night asks the
 * complex models for 36 million tokens a minute, Black Friday the simple ones for 4,000 requests) and a quarter more. A new
 * account has 500 requests and 2 million tokens for each line. Ask for them first (docs/deploy.md, 1); if AWS grants
 * less, write what it granted: the pipeline's gate then says what breaks, instead of a release night.
 */
const PROD_QUOTAS = [
  granted('jp.anthropic.claude-sonnet-5', TOKYO, 1_000, 12_000_000),
  granted('jp.anthropic.claude-sonnet-5', OSAKA, 1_000, 12_000_000),
  granted('global.anthropic.claude-sonnet-5', TOKYO, 1_000, 12_000_000),
  granted('jp.anthropic.claude-sonnet-4-6', TOKYO, 1_000, 12_000_000),
  granted('jp.anthropic.claude-haiku-4-5-20251001-v1:0', TOKYO, 2_000, 2_500_000),
  granted('jp.anthropic.claude-haiku-4-5-20251001-v1:0', OSAKA, 2_000, 2_500_000),
  granted('global.anthropic.claude-haiku-4-5-20251001-v1:0', TOKYO, 2_000, 2_500_000),
  granted('amazon.titan-embed-text-v2:0', TOKYO, 2_000, 2_000_000),
];

function granted(
  profile: string,
  region: string,
  requestsPerMinute: number,
  tokensPerMinute: number,
): NonNullable<PlatformOverrides['quotas']>[number] {
  return { profile, region, requestsPerMinute, tokensPerMinute };
}

/** Differences are sizes and switches; no code asks which environment it is in. */
export const ENVIRONMENTS = {
  dev: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 1,
    endpoints: 'models',
    extraOrigins: [],
    edgePrefixList: TOKYO_EDGE_PREFIX_LIST,
    keepsData: false,
    data: {
      databaseMinCapacityUnits: 0.5,
      databaseMaxCapacityUnits: 16,
      databaseReaders: 1,
      cacheNodeType: 'cache.t4g.medium',
      cacheReplicas: 1,
    },
    logRetentionDays: logs.RetentionDays.ONE_WEEK,
    runbooksUrl: RUNBOOKS,
    pageEmails: [],
    ticketEmails: [],
    platform: {
      environment: 'dev',
      profile: 'baseline',
      product: { metricNamespace: 'MangaAssist/dev' },
      // Its own developers; the quotas of a new account carry them.
      traffic: { messagesPerDay: 10_000 },
    },
  },
  staging: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 1,
    endpoints: 'data',
    domain: {
      name: 'staging.chat.example.com',
      edgeCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/staging-edge',
      originCertificateArn: 'arn:aws:acm:ap-northeast-1:111122223333:certificate/staging-origin',
    },
    extraOrigins: [],
    edgePrefixList: TOKYO_EDGE_PREFIX_LIST,
    keepsData: true,
    data: {
      databaseMinCapacityUnits: 1,
      databaseMaxCapacityUnits: 16,
      databaseReaders: 1,
      cacheNodeType: 'cache.m7g.large',
      cacheReplicas: 1,
    },
    logRetentionDays: logs.RetentionDays.ONE_MONTH,
    runbooksUrl: RUNBOOKS,
    pageEmails: [],
    ticketEmails: ['platform-tickets@example.com'],
    platform: {
      environment: 'staging',
      profile: 'genai',
      product: { metricNamespace: 'MangaAssist/staging' },
      // A tenth of prod's, at most: what a load test brings. The quotas of a new account carry it.
      traffic: { messagesPerDay: 100_000 },
    },
  },
  prod: {
    availabilityZones: TOKYO_ZONES,
    natGateways: 2,
    endpoints: 'data',
    domain: {
      name: 'chat.example.com',
      edgeCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/prod-edge',
      originCertificateArn: 'arn:aws:acm:ap-northeast-1:111122223333:certificate/prod-origin',
    },
    extraOrigins: [],
    edgePrefixList: TOKYO_EDGE_PREFIX_LIST,
    keepsData: true,
    data: {
      databaseMinCapacityUnits: 2,
      databaseMaxCapacityUnits: 16,
      databaseReaders: 1,
      cacheNodeType: 'cache.m7g.xlarge',
      cacheReplicas: 1,
    },
    logRetentionDays: logs.RetentionDays.THREE_MONTHS,
    runbooksUrl: RUNBOOKS,
    pageEmails: ['platform-on-call@example.com'],
    ticketEmails: ['platform-tickets@example.com'],
    platform: { environment: 'prod', profile: 'genai', quotas: PROD_QUOTAS },
  },
} as const satisfies Record<string, EnvironmentChoices>;
