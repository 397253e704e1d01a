import { assertTrue, configure } from '@matsuri/contract';
import type { PlatformOverrides } from '@matsuri/contract';

import type { OnProgress } from '../engines/progress';
import { startEngines } from '../engines/start-engines';
import type { Engines } from '../engines/start-engines';
import type { LogSink } from '../log-driver/log-driver';
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

/** The shop the platform ships configured for. */
export const DEMO_TENANT = 'mangaassist';

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
