import { buildPrograms } from '@matsuri/local';

import startEngines from './start-engines';

/** End to end, what runs is what ships: the bundles, not the sources. */
export default async function setUp(): Promise<void> {
  await buildPrograms();
  await startEngines();
}
