import { DefaultStackSynthesizer, Stack, Validations } from 'aws-cdk-lib';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';
import { z } from 'zod';

/** Accepts a finding of cdk-nag below a construct, with the reason that a reviewer reads. */
export function acknowledge(scope: IConstruct, finding: string, reason: string): void {
  Validations.of(scope).acknowledge({ id: `AwsSolutions-${finding}`, reason });
}

/** Accepts one wildcard resource in the policies below a construct; a test holds all of them to a list. */
export function acknowledgeWildcard(scope: IConstruct, resource: string, reason: string): void {
  const shown = asShown(Stack.of(scope).resolve(resource));
  acknowledge(scope, `IAM5[Resource::${shown}]`, reason);
}

const joined = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });
const referred = z.object({ Ref: z.string() });
const attribute = z.object({ 'Fn::GetAtt': z.array(z.string()) });

/** A template's value as cdk-nag prints it: references in angle brackets. */
function asShown(value: unknown): string {
  if (typeof value === 'string') return value;
  const join = joined.safeParse(value).data;
  if (join !== undefined) return join['Fn::Join'][1].map(asShown).join(join['Fn::Join'][0]);
  const ref = referred.safeParse(value).data;
  if (ref !== undefined) return `<${ref.Ref}>`;
  return `<${attribute.parse(value)['Fn::GetAtt'].join('.')}>`;
}

const BASIC_EXECUTION =
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]';

/** The function with which CDK makes single calls of the SDK: its role may write logs, by AWS's own policy. */
export function acknowledgeSdkCalls(scope: IConstruct): void {
  const caller = Stack.of(scope).node.tryFindChild('AWS679f53fac002430cb0da5b7982bd2287');
  if (caller === undefined) throw new Error('No call of the SDK has been made in this stack yet');
  acknowledge(caller, BASIC_EXECUTION, 'Written by CDK; the policy allows to write logs.');
}

/** CDK's own grants to read one bucket and write another. */
const UPLOAD_ACTIONS = ['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'];

/** The function with which CDK puts files into a bucket: one for all buckets of a stack. */
export function acknowledgeUpload(bucket: s3.IBucket): void {
  const stack = Stack.of(bucket);
  const id = 'Custom::CDKBucketDeployment8693BB64968944B69AAFB0CC9EB8756C512MiB';
  const uploader = stack.node.tryFindChild(id);
  if (uploader === undefined) throw new Error('No bucket is filled in this stack yet');
  const reason = 'Written by CDK: it reads the files that were built and writes to the one bucket.';
  acknowledge(uploader, BASIC_EXECUTION, reason);
  acknowledge(uploader, 'L1', reason);
  for (const action of UPLOAD_ACTIONS) acknowledge(uploader, `IAM5[Action::s3:${action}]`, reason);
  const assets = `cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${stack.account}-${stack.region}`;
  acknowledgeWildcard(uploader, `arn:${stack.partition}:s3:::${assets}/*`, reason);
  acknowledgeWildcard(uploader, bucket.arnForObjects('*'), reason);
}
