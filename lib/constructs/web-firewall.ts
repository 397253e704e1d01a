import { PATHS } from '@matsuri/contract';
import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as waf from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export interface WebFirewallProps {
  /** Lower case; names its log. */
  readonly name: string;
  readonly logRetentionDays: logs.RetentionDays;
}

/** Requests of one address in five minutes. A person never gets there; a shared office rarely. */
const MOST_REQUESTS = 3_000;

/**
 * Rules that read bodies. A prompt is long, and may well hold markup, paths or addresses: it is not an attack. They
 * count instead of blocking; what a body may be is decided by the program that parses it.
 */
const BODY_RULES = [
  'SizeRestrictions_BODY',
  'CrossSiteScripting_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
];

/** The firewall in front of CloudFront; it must live in us-east-1. */
export class WebFirewall extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, props: WebFirewallProps) {
    super(scope, id);
    const acl = new waf.CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('Firewall'),
      // As much of a body as can be looked at.
      associationConfig: {
        requestBody: { CLOUDFRONT: { defaultSizeInspectionLimit: 'KB_64' } },
      },
      rules: [
        managed(0, 'AWSManagedRulesAmazonIpReputationList'),
        tooManyRequests(1),
        managed(2, 'AWSManagedRulesKnownBadInputsRuleSet'),
        managed(3, 'AWSManagedRulesCommonRuleSet', BODY_RULES),
      ],
    });
    this.log(acl, props);
    this.arn = acl.attrArn;
  }

  /** Names and credentials of callers stay out of the log. */
  private log(acl: waf.CfnWebACL, { name, logRetentionDays }: WebFirewallProps): void {
    const lines = new logs.LogGroup(this, 'Lines', {
      // The service insists on the beginning of the name.
      logGroupName: `aws-waf-logs-${name}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new waf.CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [
        Stack.of(this).formatArn({
          service: 'logs',
          resource: 'log-group',
          resourceName: lines.logGroupName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
      redactedFields: [{ singleHeader: { Name: 'authorization' } }],
    });
  }
}

function managed(
  priority: number,
  name: string,
  counted: readonly string[] = [],
): waf.CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name,
        ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
      },
    },
    visibilityConfig: visible(name),
  };
}

function tooManyRequests(priority: number): waf.CfnWebACL.RuleProperty {
  return {
    name: 'TooManyRequests',
    priority,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: {
      rateBasedStatement: {
        limit: MOST_REQUESTS,
        aggregateKeyType: 'IP',
        evaluationWindowSec: 300,
        scopeDownStatement: {
          byteMatchStatement: {
            fieldToMatch: { uriPath: {} },
            positionalConstraint: 'STARTS_WITH',
            searchString: PATHS.chatCompletions.slice(0, PATHS.chatCompletions.indexOf('/', 1) + 1),
            textTransformations: [{ priority: 0, type: 'NONE' }],
          },
        },
      },
    },
    visibilityConfig: visible('TooManyRequests'),
  };
}

function visible(metricName: string): waf.CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
