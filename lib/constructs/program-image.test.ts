import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProgramImage } from './program-image';
import { plantedStack } from './testing/planted';
import { plantedBundles } from './testing/planted-bundles';

let bundles: ReturnType<typeof plantedBundles>;

beforeEach(() => {
  bundles = plantedBundles();
});

afterEach(() => bundles.remove());

const image = (program: string, nodeImage = 'node:24-slim@sha256:1') =>
  new ProgramImage(plantedStack(), 'Image', {
    program,
    bundles: { folder: bundles.folder, nodeImage },
  });

test('an image is known by its program’s bytes', () => {
  const { fingerprint } = image('api');
  expect(image('api').fingerprint).toBe(fingerprint);
  expect(image('orchestrator').fingerprint).not.toBe(fingerprint);
  appendFileSync(join(bundles.folder, 'api', 'main.cjs'), '// changed\n');
  expect(image('api').fingerprint).not.toBe(fingerprint);
});

test('a newer Node under an unchanged program is a new image: it is how patches arrive', () => {
  const { fingerprint } = image('api');
  expect(image('api', 'node:24-slim@sha256:2').fingerprint).not.toBe(fingerprint);
});

test('a program that was not built is asked for by name', () => {
  expect(() => image('worker')).toThrow(/no bundle of 'worker' in .*\. Run: pnpm build/);
});
