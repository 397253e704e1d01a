import type { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';

import { environmentNamed, environmentOf } from '../../lib/config/environment';
import { ENVIRONMENTS } from '../../lib/config/environments';
import type { EnvironmentChoices } from '../../lib/config/environments';
import { plantedBundles } from '../../lib/constructs/testing/planted-bundles';
import { addPipeline } from '../../lib/pipeline';
import { addPlatform } from '../../lib/platform';
import { checkedApp } from '../../lib/synth';

/** Events of the calendar are ahead or over as seen from here. */
export const NOW_MS = Date.parse('2026-11-18T12:00:00+09:00');

export const ENVIRONMENT_NAMES = Object.keys(ENVIRONMENTS);

/** Every stack of an environment, found by the last part of its name. */
export interface Synthesized {
  readonly assembly: CloudAssembly;
  readonly stacks: readonly string[];
  template(stack: string): Template;
  /** The template as plain data. */
  json(stack: string): CloudFormation;
}

export interface CloudFormation {
  readonly Resources: Readonly<Record<string, Resource>>;
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly [attribute: string]: unknown;
}

interface SynthOptions {
  /** Of the environment, in place of its own. */
  readonly choices?: Partial<EnvironmentChoices>;
  readonly bundles?: string;
  readonly outdir?: string;
}

/** Synthesizes as the app does, open findings included: they throw. */
export function synthesize(name: string, options: SynthOptions = {}): Synthesized {
  const planted = options.bundles === undefined ? plantedBundles() : undefined;
  try {
    const app = checkedApp(options.outdir === undefined ? {} : { outdir: options.outdir });
    const all: Readonly<Record<string, EnvironmentChoices>> = ENVIRONMENTS;
    const own = all[name];
    addPlatform(app, {
      environment:
        options.choices === undefined || own === undefined
          ? environmentNamed(name, NOW_MS)
          : environmentOf(name, { ...own, ...options.choices }, NOW_MS),
      bundles: { folder: options.bundles ?? planted?.folder ?? '', nodeImage: 'node:24-slim' },
      nowMs: NOW_MS,
    });
    return read(quietly(app), name);
  } finally {
    planted?.remove();
  }
}

/** The pipeline, and within it every environment. */
export function synthesizePipeline(options: { readonly outdir?: string } = {}): CloudAssembly {
  const bundles = plantedBundles();
  try {
    const app = checkedApp(options);
    addPipeline(app, {
      bundles: { folder: bundles.folder, nodeImage: 'node:24-slim' },
      nowMs: NOW_MS,
    });
    return quietly(app);
  } finally {
    bundles.remove();
  }
}

/** Warnings are for people at a terminal; what stops a synth is in the error. */
export function quietly(app: App): CloudAssembly {
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    return app.synth();
  } catch (error) {
    throw new Error(said.mock.calls.flat().join('\n'), { cause: error });
  } finally {
    said.mockRestore();
  }
}

function read(assembly: CloudAssembly, name: string): Synthesized {
  const prefix = `mangaassist-${name}-`;
  const json = (stack: string) =>
    assembly.getStackByName(`${prefix}${stack}`).template as CloudFormation;
  return {
    assembly,
    stacks: assembly.stacks.map(({ stackName }) => stackName.slice(prefix.length)),
    json,
    template: (stack) => Template.fromJSON({ ...json(stack) }),
  };
}

/** The resources of a type, with their properties. */
export function ofType(
  { Resources }: CloudFormation,
  type: string,
): readonly (Readonly<Record<string, unknown>> & { readonly logicalId: string })[] {
  return Object.entries(Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, { Properties = {} }]) => ({ ...Properties, logicalId }));
}
