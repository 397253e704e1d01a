import { startedEngines } from './running-engines';

/** Ends what the set-up started; engines that were there before stay. */
export default async function tearDown(): Promise<void> {
  await startedEngines()?.close();
}
