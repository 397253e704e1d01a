#!/usr/bin/env tsx
/** The CDK app: `cdk synth -c env=<environment>`. */
import { join } from 'node:path';

import { environmentNamed } from '../lib/config/environment';
import { addPipeline } from '../lib/pipeline';
import { addPlatform } from '../lib/platform';
import { checkedApp } from '../lib/synth';

function main(): void {
  const app = checkedApp({ autoSynth: false });
  const context = (key: string, otherwise: string): string =>
    String(app.node.tryGetContext(key) ?? otherwise);
  const nowMs = Date.now();
  const bundles = {
    folder: context('bundles', join(import.meta.dirname, '../dist')),
    nodeImage: context('nodeImage', 'node:24-slim'),
  };
  const name = context('env', 'dev');
  if (name === 'pipeline') addPipeline(app, { bundles, nowMs });
  else addPlatform(app, { environment: environmentNamed(name, nowMs), bundles, nowMs });
  app.synth();
}

try {
  main();
} catch (error) {
  // What a person changes is in the message; the way through CDK's files is not.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
