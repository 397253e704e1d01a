import type { App } from 'aws-cdk-lib';

import { environmentNamed } from './config/environment';
import { PIPELINE } from './config/pipeline';
import { acknowledgePipeline } from './constructs/pipeline-findings';
import type { Bundles } from './constructs/program-image';
import { PipelineStack } from './stacks/pipeline-stack';

export interface PipelineOptions {
  readonly bundles: Bundles;
  /** The moment of synth. */
  readonly nowMs: number;
}

/** The pipeline, and within it every environment as it deploys them. */
export function addPipeline(app: App, { bundles, nowMs }: PipelineOptions): void {
  new PipelineStack(app, 'Pipeline', {
    stackName: 'matsuri-pipeline',
    env: { account: PIPELINE.account, region: PIPELINE.region },
    choices: PIPELINE,
    environments: PIPELINE.environments.map((name) => ({
      account: PIPELINE.account,
      ...environmentNamed(name, nowMs),
    })),
    bundles,
    nowMs,
  });
  acknowledgePipeline(app);
}
