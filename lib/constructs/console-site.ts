import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as deployment from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { acknowledgeUpload } from './acknowledge';
import type { Bundles } from './program-image';

export interface ConsoleSiteProps {
  readonly bundles: Bundles;
  readonly accessLogs: s3.IBucket;
}

const PAGE = 'index.html';

/**
 * The web console's files, all but the page named by what they contain. They can be built again at any time, so the
 * bucket goes with its stack.
 */
export class ConsoleSite extends Construct {
  readonly bucket: s3.Bucket;

  constructor(scope: Construct, id: string, props: ConsoleSiteProps) {
    super(scope, id);
    const folder = join(props.bundles.folder, 'console');
    if (!existsSync(join(folder, PAGE))) {
      throw new Error(`There is no console in ${props.bundles.folder}. Run: pnpm build`);
    }
    this.bucket = new s3.Bucket(this, 'Files', {
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      serverAccessLogsBucket: props.accessLogs,
      serverAccessLogsPrefix: 'console/',
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    const files = this.upload('Files', folder, {
      exclude: [PAGE],
      cacheControl: [
        deployment.CacheControl.setPublic(),
        deployment.CacheControl.maxAge(Duration.days(365)),
        deployment.CacheControl.immutable(),
      ],
    });
    // After the files it asks for; it keeps its name, so that nobody may keep it.
    const page = this.upload('Page', folder, {
      exclude: ['*'],
      include: [PAGE],
      cacheControl: [deployment.CacheControl.noCache()],
    });
    page.node.addDependency(files);
    acknowledgeUpload(this.bucket);
  }

  private upload(
    what: string,
    folder: string,
    which: Pick<deployment.BucketDeploymentProps, 'exclude' | 'include' | 'cacheControl'>,
  ): deployment.BucketDeployment {
    return new deployment.BucketDeployment(this, `Upload${what}`, {
      ...which,
      sources: [deployment.Source.asset(folder)],
      destinationBucket: this.bucket,
      // Yesterday's pages still ask for yesterday's files.
      prune: false,
      memoryLimit: 512,
    });
  }
}
