import { App, Validations } from 'aws-cdk-lib';
import type { AppProps } from 'aws-cdk-lib';
import FLAGS from 'aws-cdk-lib/recommended-feature-flags.json';
import { AwsSolutionsChecks } from 'cdk-nag';

/** By export and import: CloudFormation then refuses to delete what another stack still uses. */
const CLASSIC_REFERENCES = { '@aws-cdk/core:defaultCrossStackReferences': 'strong' };

/** An app in which CDK behaves as its newest version would, and whose open security findings fail synth. */
export function checkedApp(props: AppProps = {}): App {
  const app = new App({
    ...props,
    postCliContext: { ...FLAGS, ...CLASSIC_REFERENCES, ...props.postCliContext },
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
