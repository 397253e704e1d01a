import { HEADERS, PATHS } from '@matsuri/contract';
import { ArnFormat, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as waf from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

export interface WebFirewallProps {
  /** Lower case; names its log. */
  readonly name: string;
  readonly logRetentionDays: logs.RetentionDays;
}

/** Requests of one address in five minutes, without a token. A person never gets there; a shared office rarely. */
const MOST_REQUESTS = 3_000;

/**
 * With a token one address is a shop's backend, which calls for all of its users: more than the peak of all events together.
 * What a token is worth, and how much it may ask for, the programs know better.
 */
const MOST_CALLS = 60_000;

const WINDOW_SECONDS = 300;

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
        tooMany('TooManyRequests', 1, {
          limit: MOST_REQUESTS,
          of: {
            andStatement: {
              statements: [ofPrograms(), { notStatement: { statement: withToken() } }],
            },
          },
        }),
        tooMany('TooManyCalls', 2, { limit: MOST_CALLS, of: ofPrograms() }),
        managed(3, 'AWSManagedRulesKnownBadInputsRuleSet'),
        managed(4, 'AWSManagedRulesCommonRuleSet', BODY_RULES),
      ],
    });
    this.log(acl, props);
    this.arn = acl.attrArn;
  }

  /** Names and credentials of callers stay out of the log; a ticket to a WebSocket is in the query. */
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
      redactedFields: [
        { singleHeader: { Name: 'authorization' } },
        { singleHeader: { Name: HEADERS.endUser } },
        { queryString: {} },
      ],
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

function tooMany(
  name: string,
  priority: number,
  { limit, of }: { readonly limit: number; readonly of: waf.CfnWebACL.StatementProperty },
): waf.CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        evaluationWindowSec: WINDOW_SECONDS,
        scopeDownStatement: of,
      },
    },
    visibilityConfig: visible(name),
  };
}

/** What is asked of programs; the console's files cost nothing. */
function ofPrograms(): waf.CfnWebACL.StatementProperty {
  return startsWith(
    { uriPath: {} },
    PATHS.chatCompletions.slice(0, PATHS.chatCompletions.indexOf('/', 1) + 1),
  );
}

function withToken(): waf.CfnWebACL.StatementProperty {
  return startsWith({ singleHeader: { Name: 'authorization' } }, 'Bearer ');
}

function startsWith(
  fieldToMatch: waf.CfnWebACL.FieldToMatchProperty,
  searchString: string,
): waf.CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch,
      positionalConstraint: 'STARTS_WITH',
      searchString,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

function visible(metricName: string): waf.CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true };
}
