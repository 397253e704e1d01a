import { Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** What CDK Pipelines writes without asking: wildcards below one bucket, projects without a key, a bucket's log. */
const WRITTEN_BY_CDK = /^AwsSolutions-(?:IAM5\[|CB4$|S1$)/;

/**
 * Accepts what the pipeline's own roles, projects and buckets are found to have, each at its place. The environments
 * inside the pipeline are left out: they answer for themselves.
 */
export function acknowledgePipeline(app: Stage): void {
  const found = new AwsSolutionsChecks(app).validateScope(app);
  for (const { ruleName, violatingResources } of found.violations) {
    if (!WRITTEN_BY_CDK.test(ruleName)) continue;
    for (const { constructPath } of violatingResources) {
      const resource = app.node.findAll().find(({ node }) => node.path === constructPath);
      if (resource === undefined || Stage.of(resource) !== app) continue;
      Validations.of(resource).acknowledge({
        id: ruleName,
        reason: 'Written by CDK Pipelines for roles and projects that only the pipeline uses.',
      });
    }
  }
}
