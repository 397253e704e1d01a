import { encodeOverrides } from '@matsuri/contract';
import { Stack } from 'aws-cdk-lib';
import type * as ecs from 'aws-cdk-lib/aws-ecs';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { DataStack } from '../stacks/data-stack';
import { allowInvokingModels } from './model-access';
import { OneOffTask } from './one-off-task';
import { addProgram } from './program-container';
import { ProgramImage } from './program-image';
import type { Bundles } from './program-image';
import { ProgramLog } from './program-log';

export interface CatalogueLoadProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  readonly data: DataStack;
  /** Fingerprints of the programs that rely on it. */
  readonly before: readonly string[];
}

/** Writes the catalogue and its search index; one at a time, and nothing twice. */
export class CatalogueLoad extends Construct {
  readonly run: OneOffTask;

  constructor(scope: Construct, id: string, props: CatalogueLoadProps) {
    super(scope, id);
    const { environment, bundles, data } = props;
    const image = new ProgramImage(this, 'Image', { program: 'load-catalogue', bundles });
    this.run = new OneOffTask(this, 'Run', {
      cluster: props.cluster,
      description: 'Load of the catalogue',
      before: [image.fingerprint, ...props.before],
    });
    const { task, access } = this.run;
    const role = task.taskRole;
    if (!(role instanceof iam.Role)) throw new Error('The task has no role of its own');
    allowInvokingModels(role, environment.platform, ['embed']);
    const database = data.database.allowConnecting(access);
    addProgram(task, 'load-catalogue', {
      image: image.image,
      logging: new ProgramLog(this, 'Log', environment).driver,
      variables: {
        AWS_REGION: Stack.of(this).region,
        PLATFORM_OVERRIDES: encodeOverrides(environment.overrides),
        ...database.variables,
        ...data.vectors.allowMaintaining(access, role, 'loader'),
        CATALOGUE_TABLE: data.catalogue.allowReadingAndWriting(role),
      },
      secrets: database.secrets,
    });
  }
}
