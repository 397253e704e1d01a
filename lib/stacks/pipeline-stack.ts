import { Duration, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import type { CfnOutput, StackProps } from 'aws-cdk-lib';
import * as codebuild from 'aws-cdk-lib/aws-codebuild';
import * as codepipeline from 'aws-cdk-lib/aws-codepipeline';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as pipelines from 'aws-cdk-lib/pipelines';
import type { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { PipelineChoices } from '../config/pipeline';
import type { Bundles } from '../constructs/program-image';
import { addPlatform } from '../platform';

export interface PipelineStackProps extends StackProps {
  readonly choices: PipelineChoices;
  /** In the order in which they are deployed; the last waits for a person. */
  readonly environments: readonly Environment[];
  readonly bundles: Bundles;
  readonly nowMs: number;
}

const PNPM = 'npx -y pnpm@12';

/** Every environment of one run stands on what the name means at its beginning. */
const BASE_IMAGE = 'node:24-slim';

/**
 * From a commit to production: checked, simulated against the year's calendar, deployed to one environment after
 * the other with a smoke test in each, and before the last a person. Services roll themselves back on their alarms.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, props);
    const pipeline = new pipelines.CodePipeline(this, 'Pipeline', {
      codePipeline: this.createPipeline(props),
      synth: synthStep(props),
      publishAssetsInParallel: false,
      codeBuildDefaults: {
        buildEnvironment: { buildImage: codebuild.LinuxBuildImage.STANDARD_7_0 },
      },
    });
    for (const environment of props.environments) this.deploy(pipeline, environment, props);
    pipeline.buildPipeline();
  }

  private createPipeline({ choices, environments }: PipelineStackProps): codepipeline.Pipeline {
    const elsewhere = environments.some(({ account }) => account !== choices.account);
    return new codepipeline.Pipeline(this, 'Stages', {
      pipelineType: codepipeline.PipelineType.V2,
      restartExecutionOnUpdate: true,
      ...(elsewhere && { crossAccountKeys: true, enableKeyRotation: true }),
      artifactBucket: new s3.Bucket(this, 'Artifacts', {
        ...(elsewhere ? this.readableElsewhere() : { encryption: s3.BucketEncryption.S3_MANAGED }),
        blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
        enforceSSL: true,
        lifecycleRules: [{ expiration: Duration.days(30) }],
        removalPolicy: RemovalPolicy.DESTROY,
        autoDeleteObjects: true,
      }),
    });
  }

  /** Another account can be let read a bucket only with a key that it can be let use. */
  private readableElsewhere(): Pick<s3.BucketProps, 'encryption' | 'encryptionKey'> {
    return {
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: new kms.Key(this, 'ArtifactKey', {
        description: 'What the pipeline carries to other accounts',
        enableKeyRotation: true,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    };
  }

  private deploy(
    pipeline: pipelines.CodePipeline,
    environment: Environment,
    { bundles, nowMs, environments }: PipelineStackProps,
  ): void {
    const stage = new PlatformStage(this, environment.name, { environment, bundles, nowMs });
    const last = environment === environments.at(-1);
    pipeline.addStage(stage, {
      pre: last ? [new pipelines.ManualApprovalStep(`Deploy${environment.name}`)] : [],
      post: [smokeStep(environment.name, stage.url)],
    });
  }
}

interface PlatformStageProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly nowMs: number;
}

/** One environment as the pipeline deploys it. */
class PlatformStage extends Stage {
  readonly url: CfnOutput;

  constructor(scope: Construct, id: string, props: PlatformStageProps) {
    super(scope, id);
    this.url = addPlatform(this, props).url;
  }
}

/** Everything that needs no account: the checks, the tests, the year in the simulator, the bundles, the templates. */
function synthStep({ choices, environments }: PipelineStackProps): pipelines.ShellStep {
  return new pipelines.ShellStep('Synth', {
    input: pipelines.CodePipelineSource.connection(choices.repository, choices.branch, {
      connectionArn: choices.connectionArn,
    }),
    installCommands: ['n 24', `${PNPM} install --frozen-lockfile`],
    commands: [
      `${PNPM} check`,
      `${PNPM} test:unit`,
      ...environments.map(({ name }) => `${PNPM} simulate --gate --env ${name}`),
      `${PNPM} build`,
      `NODE_IMAGE=${BASE_IMAGE}@$(docker buildx imagetools inspect ${BASE_IMAGE} --format '{{.Manifest.Digest}}')`,
      'npx cdk synth --quiet -c env=pipeline -c nodeImage=$NODE_IMAGE',
    ],
    primaryOutputDirectory: 'cdk.out',
  });
}

function smokeStep(name: string, url: CfnOutput): pipelines.ShellStep {
  return new pipelines.ShellStep(`Smoke${name}`, {
    envFromCfnOutputs: { URL: url },
    installCommands: ['n 24'],
    commands: ['node bin/smoke.mjs "$URL"'],
  });
}
