import { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as aoss from 'aws-cdk-lib/aws-opensearchserverless';
import { Construct } from 'constructs';

export interface VectorCollectionProps {
  /** Lower case and short: policies are named after it and after who uses it. */
  readonly name: string;
  readonly index: string;
  readonly vpc: ec2.IVpc;
  readonly encryptionKey: kms.IKey;
  /** Copies in other zones; doubles the price. */
  readonly standbyReplicas: boolean;
}

/** What a program that uses the collection is told. */
interface VectorInputs {
  readonly OPENSEARCH_URL: string;
  readonly OPENSEARCH_INDEX: string;
}

const SEARCH = ['aoss:ReadDocument', 'aoss:DescribeIndex'];
const MAINTAIN = [...SEARCH, 'aoss:CreateIndex', 'aoss:UpdateIndex', 'aoss:WriteDocument'];

/** Of a collection, a policy or an endpoint; AWS would say so in the middle of a deployment. */
const LONGEST_NAME = 32;

/** The search index of the catalogue: vectors, in OpenSearch Serverless, reachable from the network only. */
export class VectorCollection extends Construct {
  private readonly collection: aoss.CfnCollection;
  private readonly access: ec2.SecurityGroup;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: VectorCollectionProps,
  ) {
    super(scope, id);
    this.access = new ec2.SecurityGroup(this, 'Access', {
      vpc: props.vpc,
      description: 'OpenSearch Serverless: only programs that were allowed to connect',
      allowAllOutbound: false,
    });
    const endpoint = new aoss.CfnVpcEndpoint(this, 'Endpoint', {
      name: props.name,
      vpcId: props.vpc.vpcId,
      subnetIds: props.vpc.selectSubnets({ subnetType: ec2.SubnetType.PRIVATE_ISOLATED }).subnetIds,
      securityGroupIds: [this.access.securityGroupId],
    });
    const encryption = new aoss.CfnSecurityPolicy(this, 'Encryption', {
      name: props.name,
      type: 'encryption',
      policy: Stack.of(this).toJsonString({
        Rules: [collectionRule(props.name)],
        KmsARN: props.encryptionKey.keyArn,
      }),
    });
    const network = new aoss.CfnSecurityPolicy(this, 'Network', {
      name: props.name,
      type: 'network',
      policy: Stack.of(this).toJsonString([
        {
          Rules: [collectionRule(props.name)],
          AllowFromPublic: false,
          SourceVPCEs: [endpoint.ref],
        },
      ]),
    });
    this.collection = new aoss.CfnCollection(this, 'Collection', {
      name: props.name,
      type: 'VECTORSEARCH',
      standbyReplicas: props.standbyReplicas ? 'ENABLED' : 'DISABLED',
    });
    this.collection.addResourceDependency(encryption);
    this.collection.addResourceDependency(network);
  }

  /** Lets a program search; `as` names its access policy. */
  allowSearching(program: ec2.IConnectable, role: iam.IRole, as: string): VectorInputs {
    return this.openFor(program, role, as, SEARCH);
  }

  /** Lets a program create the index and write documents; `as` names its access policy. */
  allowMaintaining(program: ec2.IConnectable, role: iam.IRole, as: string): VectorInputs {
    return this.openFor(program, role, as, MAINTAIN);
  }

  private openFor(
    program: ec2.IConnectable,
    role: iam.IRole,
    as: string,
    permissions: readonly string[],
  ): VectorInputs {
    const { name, index } = this.props;
    program.connections.allowTo(this.access, ec2.Port.HTTPS, 'OpenSearch');
    role.addToPrincipalPolicy(
      new iam.PolicyStatement({
        actions: ['aoss:APIAccessAll'],
        resources: [this.collection.attrArn],
      }),
    );
    const policyName = shortEnough(`${name}-${as}`);
    // With the role, not here: a policy of this stack that named roles of later ones would tie a knot.
    new aoss.CfnAccessPolicy(role, 'VectorAccess', {
      name: policyName,
      type: 'data',
      policy: Stack.of(role).toJsonString([
        {
          Rules: [
            {
              ResourceType: 'index',
              Resource: [`index/${name}/${index}`],
              Permission: permissions,
            },
          ],
          Principal: [role.roleArn],
        },
      ]),
    });
    return { OPENSEARCH_URL: this.collection.attrCollectionEndpoint, OPENSEARCH_INDEX: index };
  }
}

function shortEnough(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  throw new Error(
    `OpenSearch Serverless takes names of ${LONGEST_NAME} characters; ${name} has ${name.length}. ` +
      'Give the environment a shorter name.',
  );
}

function collectionRule(name: string): object {
  return { ResourceType: 'collection', Resource: [`collection/${name}`] };
}
