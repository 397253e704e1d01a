import type * as ecs from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';

import type { Environment } from '../config/environment';
import type { LedgerDatabase } from './ledger-database';
import { OneOffTask } from './one-off-task';
import { addProgram } from './program-container';
import { ProgramImage } from './program-image';
import type { Bundles } from './program-image';
import { ProgramLog } from './program-log';

export interface DatabaseMigrationProps {
  readonly environment: Environment;
  readonly bundles: Bundles;
  readonly cluster: ecs.ICluster;
  readonly database: LedgerDatabase;
  /** Fingerprints of the programs that rely on it. */
  readonly before: readonly string[];
}

/** Brings the schema up to date, as its owner, and lets the programs' user in. Expands only: old tasks go on. */
export class DatabaseMigration extends Construct {
  readonly run: OneOffTask;

  constructor(scope: Construct, id: string, props: DatabaseMigrationProps) {
    super(scope, id);
    const image = new ProgramImage(this, 'Image', { program: 'migrate', bundles: props.bundles });
    this.run = new OneOffTask(this, 'Run', {
      cluster: props.cluster,
      description: 'Migration of the database',
      before: [image.fingerprint, ...props.before],
    });
    const database = props.database.allowMigrating(this.run.access);
    addProgram(this.run.task, 'migrate', {
      image: image.image,
      logging: new ProgramLog(this, 'Log', props.environment).driver,
      variables: database.variables,
      secrets: {
        ...database.secrets,
        PROGRAMS_USER: database.programs.user,
        PROGRAMS_PASSWORD: database.programs.password,
      },
    });
  }
}
