import { RemovalPolicy } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type { TableDefinition } from '@matsuri/contract';
import { Construct } from 'constructs';

export interface PlatformTableProps {
  readonly definition: TableDefinition;
  readonly encryptionKey: kms.IKey;
  /** Whether the table outlives its stack. */
  readonly keepsData: boolean;
}

const text = (name: string): dynamodb.Attribute => ({
  name,
  type: dynamodb.AttributeType.STRING,
});

/** A DynamoDB table as the contract defines it: paid by request, restorable to any second of the last 35 days. */
export class PlatformTable extends Construct {
  private readonly table: dynamodb.TableV2;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: PlatformTableProps,
  ) {
    super(scope, id);
    const { definition } = props;
    this.table = new dynamodb.TableV2(this, 'Table', {
      partitionKey: text(definition.partitionKey),
      ...(definition.sortKey !== undefined && { sortKey: text(definition.sortKey) }),
      ...(definition.ttlAttribute !== undefined && {
        timeToLiveAttribute: definition.ttlAttribute,
      }),
      billing: dynamodb.Billing.onDemand(),
      encryption: dynamodb.TableEncryptionV2.customerManagedKey(props.encryptionKey),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: props.keepsData,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      globalSecondaryIndexes: (definition.indexes ?? []).map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
      })),
    });
  }

  /** Lets a program read and write single items; returns the table's name for its environment. */
  allowReadingAndWriting(program: iam.IGrantable): string {
    this.table.grant(
      program,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    );
    this.props.encryptionKey.grant(
      program,
      'kms:Encrypt',
      'kms:Decrypt',
      'kms:GenerateDataKey',
      'kms:DescribeKey',
    );
    return this.table.tableName;
  }

  /** Lets a program look items up; returns the table's name for its environment. */
  allowReading(program: iam.IGrantable): string {
    this.table.grant(program, 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query');
    this.props.encryptionKey.grant(program, 'kms:Decrypt', 'kms:DescribeKey');
    return this.table.tableName;
  }
}
