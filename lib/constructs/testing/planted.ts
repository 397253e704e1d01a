import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as kms from 'aws-cdk-lib/aws-kms';
import FLAGS from 'aws-cdk-lib/recommended-feature-flags.json';

export const ENV = { account: '111122223333', region: 'ap-northeast-1' };

/** A stack in which one construct is looked at. Whoever takes its template adds nothing more. */
export function plantedStack(): Stack {
  return new Stack(new App({ postCliContext: FLAGS }), 'Planted', { env: ENV });
}

/** Where programs run, and where data lies, in each of two zones. */
export const SUBNETS = {
  programs: ['subnet-0000000000000001a', 'subnet-0000000000000001c'],
  data: ['subnet-0000000000000002a', 'subnet-0000000000000002c'],
};

/** A network of two zones that is somebody else's. */
export function plantedVpc(stack: Stack): ec2.IVpc {
  return ec2.Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: 'vpc-00000000000000001',
    availabilityZones: ['ap-northeast-1a', 'ap-northeast-1c'],
    privateSubnetIds: SUBNETS.programs,
    privateSubnetRouteTableIds: ['rtb-0000000000000001a', 'rtb-0000000000000001c'],
    isolatedSubnetIds: SUBNETS.data,
    isolatedSubnetRouteTableIds: ['rtb-0000000000000002a', 'rtb-0000000000000002c'],
  });
}

export function plantedKey(stack: Stack): kms.IKey {
  return kms.Key.fromKeyArn(
    stack,
    'Key',
    `arn:aws:kms:${ENV.region}:${ENV.account}:key/00000000-0000-0000-0000-000000000000`,
  );
}

/** A program that wants to be let in somewhere. */
export function plantedProgram(stack: Stack, vpc: ec2.IVpc): ec2.SecurityGroup {
  return new ec2.SecurityGroup(stack, 'Program', {
    vpc,
    description: 'A program',
    allowAllOutbound: false,
  });
}

export function templateOf(stack: Stack): Template {
  return Template.fromStack(stack);
}

/** The properties of the one resource of its type. */
export function only(template: Template, type: string): Record<string, unknown> {
  const found: readonly { Properties?: Record<string, unknown> }[] = Object.values(
    template.findResources(type),
  );
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} of ${type}`);
  return first.Properties ?? {};
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** What the roles of a template are allowed, statement by statement. */
export function statementsIn(template: Template): readonly Statement[] {
  const policies: readonly { Properties: { PolicyDocument: { Statement: Statement[] } } }[] =
    Object.values(template.findResources('AWS::IAM::Policy')) as never;
  return policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}
