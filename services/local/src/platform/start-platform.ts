import { assertTrue, configure } from '@matsuri/contract';
import type { PlatformOverrides } from '@matsuri/contract';

import { embedText } from '../bedrock/core/embedding';
import type { OnProgress } from '../engines/progress';
import { startEngines } from '../engines/start-engines';
import type { Engines } from '../engines/start-engines';
import type { LogSink } from '../log-driver/log-driver';
import { seedCatalogue } from '../opensearch/seed-catalogue';
import { createTables } from './create-tables';
import { newSecrets } from './program-environment';
import { startAws } from './start-aws';
import type { LocalAws } from './start-aws';
import { startPrograms } from './start-programs';
import type { Programs } from './start-programs';

export interface PlatformOptions {
  readonly overrides: PlatformOverrides;
  /** The page that talks to the programs from a browser. */
  readonly origin: string;
  readonly onProgress: OnProgress;
  /** Hears what the programs write. */
  readonly log: LogSink;
}

/** The whole platform on this machine. */
export interface LocalPlatform {
  readonly engines: Engines;
  readonly aws: LocalAws;
  readonly programs: Programs;
  /** The bootstrap credential of the management API. */
  readonly adminToken: string;
  close(): Promise<void>;
}

/** The shop the platform ships configured for, and where its catalogue is indexed. */
export const DEMO_TENANT = 'mangaassist';
const CATALOGUE_INDEX = 'catalogue';
const EMBEDDING_DIMENSIONS = 1_024;

/** Starts engines, AWS, and the programs; what was started ends when a later step fails. */
export async function startPlatform(options: PlatformOptions): Promise<LocalPlatform> {
  const { overrides, origin, onProgress, log } = options;
  const configuration = configure(overrides);
  assertTrue(configuration, Date.now());

  const started: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const part of started.toReversed()) await part.close();
  };
  try {
    const engines = await startEngines({ onProgress });
    started.push(engines);
    const aws = await startAws(configuration, log);
    started.push(aws);
    onProgress('AWS: stand-ins are listening');
    await fillCatalogue(aws, onProgress);
    const secrets = newSecrets();
    const { region } = configuration;
    await createTables(engines.dynamodbUrl, region);
    const programs = await startPrograms(
      { overrides, region, engines, aws, secrets, origin },
      onProgress,
    );
    return { engines, aws, programs, adminToken: secrets.ADMIN_TOKEN, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillCatalogue(aws: LocalAws, onProgress: OnProgress): Promise<void> {
  const documents = await seedCatalogue({
    url: aws.opensearch.url,
    index: CATALOGUE_INDEX,
    tenant: DEMO_TENANT,
    kind: 'vector-collection',
    embed: (text) => Promise.resolve(embedText(text, EMBEDDING_DIMENSIONS)),
  });
  onProgress(`Catalogue: ${documents} documents are searchable`);
}
