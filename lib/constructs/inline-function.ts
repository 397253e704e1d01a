import { RemovalPolicy } from 'aws-cdk-lib';
import type { Duration } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface InlineFunctionProps {
  /** A file of lib/functions, without its ending. */
  readonly source: string;
  readonly description: string;
  readonly timeout: Duration;
  readonly variables: Readonly<Record<string, string>>;
}

const FUNCTIONS_FOLDER = join(__dirname, '..', 'functions');

/** What CloudFormation takes in a template. */
const MOST_INLINE_CHARS = 4_096;

/**
 * A function of ours that serves CloudFormation or Secrets Manager, not users: small enough to travel inside the
 * template, so that it needs no bucket, no build and no image. The runtime brings the AWS SDK.
 */
export class InlineFunction extends Construct {
  readonly function: lambda.Function;

  constructor(scope: Construct, id: string, props: InlineFunctionProps) {
    super(scope, id);
    const logGroup = new logs.LogGroup(this, 'Logs', {
      retention: logs.RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
    });
    logGroup.grantWrite(role);
    this.function = new lambda.Function(this, 'Function', {
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: lambda.Code.fromInline(translated(props.source)),
      timeout: props.timeout,
      memorySize: 256,
      environment: { ...props.variables },
      role,
      logGroup,
    });
  }

  allow(actions: readonly string[], resources: readonly string[]): void {
    this.function.addToRolePolicy(
      new iam.PolicyStatement({ actions: [...actions], resources: [...resources] }),
    );
  }
}

function translated(source: string): string {
  const { code } = transformSync(readFileSync(join(FUNCTIONS_FOLDER, `${source}.ts`), 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minifyWhitespace: true,
    minifySyntax: true,
  });
  if (code.length > MOST_INLINE_CHARS) {
    throw new Error(
      `lib/functions/${source}.ts is ${code.length} characters long; a template takes ${MOST_INLINE_CHARS}. ` +
        'Shorten it, or make it a program under services.',
    );
  }
  return code;
}
