import type { Template } from 'aws-cdk-lib/assertions';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { ConsoleSite } from './console-site';
import { plantedStack, templateOf } from './testing/planted';
import { plantedBundles } from './testing/planted-bundles';

const site = (folder: string): Template => {
  const stack = plantedStack();
  new ConsoleSite(stack, 'Console', {
    bundles: { folder, nodeImage: 'node:24-slim' },
    accessLogs: new s3.Bucket(stack, 'Logs'),
  });
  return templateOf(stack);
};

let template: Template;

beforeAll(() => {
  const bundles = plantedBundles();
  template = site(bundles.folder);
  bundles.remove();
});

interface Upload {
  readonly DependsOn?: readonly string[];
  readonly Properties: {
    readonly Include?: readonly string[];
    readonly SystemMetadata: Readonly<Record<string, string>>;
  };
}

const uploads = () =>
  Object.entries(template.findResources('Custom::CDKBucketDeployment')) as unknown as [
    string,
    Upload,
  ][];

test('the page is asked for anew each time; files named by what they contain are kept for a year', () => {
  const caching = uploads().map(([, { Properties }]) => [
    Properties.Include?.join() ?? 'files',
    Properties.SystemMetadata['cache-control'],
  ]);
  expect(Object.fromEntries(caching)).toEqual({
    'index.html': 'no-cache',
    files: 'public, max-age=31536000, immutable',
  });
});

test('the page comes after the files it asks for', () => {
  const [files] = uploads().find(([, { Properties }]) => Properties.Include === undefined) ?? [];
  const [, page] = uploads().find(([, { Properties }]) => Properties.Include !== undefined) ?? [];
  expect(page?.DependsOn).toContain(files);
});

test('yesterday’s files stay, for those who still have yesterday’s page open', () => {
  template.allResourcesProperties('Custom::CDKBucketDeployment', { Prune: false });
});

test('nobody reads the bucket but through CloudFront', () => {
  template.hasResourceProperties('AWS::S3::Bucket', {
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
});

test('a console that was not built is asked for', () => {
  const bundles = plantedBundles();
  rmSync(join(bundles.folder, 'console'), { recursive: true });
  expect(() => site(bundles.folder)).toThrow(/no console in .*\. Run: pnpm build/);
  bundles.remove();
});
