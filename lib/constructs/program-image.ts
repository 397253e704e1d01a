import { Platform, DockerImageAsset } from 'aws-cdk-lib/aws-ecr-assets';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import { Construct } from 'constructs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where built programs lie, and what they run on. */
export interface Bundles {
  /** One folder per program, each with its Dockerfile. */
  readonly folder: string;
  /** The Node that images stand on; a deployment names it by digest. */
  readonly nodeImage: string;
}

export interface ProgramImageProps {
  readonly program: string;
  readonly bundles: Bundles;
}

/** A program's bundle as an image. Synth reads its bytes for their hash and builds nothing. */
export class ProgramImage extends Construct {
  readonly image: ecs.ContainerImage;
  /** Changes when the program does, and only then. */
  readonly fingerprint: string;

  constructor(scope: Construct, id: string, { program, bundles }: ProgramImageProps) {
    super(scope, id);
    const directory = join(bundles.folder, program);
    if (!existsSync(join(directory, 'Dockerfile'))) {
      throw new Error(`There is no bundle of '${program}' in ${bundles.folder}. Run: pnpm build`);
    }
    const asset = new DockerImageAsset(this, 'Asset', {
      directory,
      assetName: program,
      buildArgs: { NODE_IMAGE: bundles.nodeImage },
      platform: Platform.LINUX_AMD64,
    });
    this.image = ecs.ContainerImage.fromDockerImageAsset(asset);
    this.fingerprint = asset.assetHash;
  }
}
