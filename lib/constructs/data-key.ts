import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

export interface DataKeyProps {
  /** Whether the key outlives its stack: what is encrypted with it is worth no more than it. */
  readonly keepsData: boolean;
}

/**
 * The key that data at rest is encrypted with. Who may use it is said in the policies of roles, never in the key's
 * own: a key that named roles of later stacks would tie a knot. Secrets are the exception, as with AWS's own key:
 * whoever in the account may read a secret may have it decrypted on the way.
 */
export class DataKey extends Construct {
  readonly key: kms.IKey;

  constructor(scope: Construct, id: string, { keepsData }: DataKeyProps) {
    super(scope, id);
    const { account, region } = Stack.of(this);
    const key = new kms.Key(this, 'Key', {
      description: 'Data of the chat platform at rest',
      enableKeyRotation: true,
      removalPolicy: keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.AnyPrincipal()],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: {
          StringEquals: {
            'kms:CallerAccount': account,
            'kms:ViaService': `secretsmanager.${region}.amazonaws.com`,
          },
        },
      }),
    );
    this.key = kms.Key.fromKeyArn(this, 'ByName', key.keyArn);
  }
}
