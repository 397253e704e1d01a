import type { PlatformOverrides } from '@matsuri/contract';

import type { OnProgress } from '../engines/progress';
import type { LogSink } from '../log-driver/log-driver';
import { addressesOf } from './addresses';
import type { Address } from './addresses';
import { builtFolder, CONSOLE } from './built-programs';
import { issueToken } from './demo-token';
import { startFrontDoor } from './front-door';
import { shopBackend } from './shop-backend';
import { startPlatform } from './start-platform';
import type { LocalPlatform } from './start-platform';
import { staticFiles } from './static-files';
import { statusPage } from './status-page';

export interface OpenPlatformOptions {
  /** Of the front door; 0 for a free one. */
  readonly port: number;
  readonly onProgress: OnProgress;
  /** Hears what the programs write. */
  readonly log: LogSink;
}

/** The platform with its front door open. */
export interface OpenPlatform {
  /** Page, chat and API. */
  readonly url: string;
  readonly platform: LocalPlatform;
  /** A first API token, for the person who started it. */
  readonly token: string;
  close(): Promise<void>;
}

/** Tasks are processes here: a handful is a fleet, and nobody waits for a release night. */
const ON_ONE_MACHINE: PlatformOverrides = {
  environment: 'local',
  scaling: { minTasks: 2, maxTasks: 4, eventMinTasks: 2, schedule: [], steps: [] },
  calendar: { events: [], weekly: [] },
};

/** The door comes first: a port that is taken is known at once, and the programs must know their page's origin. */
export async function openPlatform(options: OpenPlatformOptions): Promise<OpenPlatform> {
  const { port, onProgress, log } = options;
  let parts: readonly Address[] = [];
  const door = await startFrontDoor({
    port,
    page: staticFiles(builtFolder(CONSOLE)),
    status: statusPage(() => parts),
  });
  try {
    const overrides = ON_ONE_MACHINE;
    const platform = await startPlatform({ overrides, origin: door.url, onProgress, log });
    const close = async (): Promise<void> => {
      // First the door: without visitors the programs have nobody to hand over, and end at once.
      await door.close();
      await platform.close();
    };
    try {
      parts = addressesOf(platform);
      const { chatUrl, apiUrl } = platform.programs;
      const apiToken = await issueToken(platform, 'shop backend');
      const shop = shopBackend({ chatUrl, apiToken, origin: door.url });
      const token = await issueToken(platform, 'npm start');
      door.open({ chatUrl, apiUrl, shop });
      return { url: door.url, platform, token, close };
    } catch (error) {
      await platform.close();
      throw error;
    }
  } catch (error) {
    await door.close();
    throw error;
  }
}
