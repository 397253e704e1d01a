import { RemovalPolicy } from 'aws-cdk-lib';
import * as ecs from 'aws-cdk-lib/aws-ecs';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

import { acknowledge } from './acknowledge';

export interface AccessSecretsProps {
  readonly encryptionKey: kms.IKey;
  /** Whether the secrets outlive the stack. */
  readonly keepsData: boolean;
}

/** 62 symbols each: more than 256 bits. */
const LENGTH = 64;

/** What callers are known by: the peppers their tokens are digested with, and the administrator's token. */
export class AccessSecrets extends Construct {
  private readonly peppers: secretsmanager.Secret;
  private readonly adminToken: secretsmanager.Secret;

  constructor(scope: Construct, id: string, props: AccessSecretsProps) {
    super(scope, id);
    const removalPolicy = props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const generated = {
      encryptionKey: props.encryptionKey,
      generateSecretString: { passwordLength: LENGTH, excludePunctuation: true },
      removalPolicy,
    };
    this.peppers = new secretsmanager.Secret(this, 'Peppers', {
      ...generated,
      description: 'The ring of peppers that API tokens are digested with',
    });
    this.adminToken = new secretsmanager.Secret(this, 'AdminToken', {
      ...generated,
      description: 'What the administrator of the management API shows',
    });
    acknowledge(
      this.peppers,
      'SMG4',
      'A pepper that disappears takes every token digested with it along. Peppers are added to the ring, newest ' +
        'last, in the two steps of docs/deploy.md; a clock cannot know that every task has read the first.',
    );
    acknowledge(
      this.adminToken,
      'SMG4',
      'A person holds this token. docs/deploy.md says how it is replaced; a clock would lock the person out.',
    );
  }

  get tokenPeppers(): ecs.Secret {
    return ecs.Secret.fromSecretsManager(this.peppers);
  }

  get administrator(): ecs.Secret {
    return ecs.Secret.fromSecretsManager(this.adminToken);
  }
}
