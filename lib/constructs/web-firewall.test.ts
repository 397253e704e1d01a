import type { Template } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';

import { only, plantedStack, templateOf } from './testing/planted';
import { WebFirewall } from './web-firewall';

const RULES = z.array(z.looseObject({ Name: z.string(), Statement: z.looseObject({}) }));

let template: Template;

beforeAll(() => {
  const stack = plantedStack();
  new WebFirewall(stack, 'Firewall', {
    name: 'mangaassist-dev-edge',
    logRetentionDays: RetentionDays.ONE_WEEK,
  });
  template = templateOf(stack);
});

const rules = () => RULES.parse(only(template, 'AWS::WAFv2::WebACL')['Rules']);
const rule = (name: string) => JSON.stringify(rules().find((it) => it.Name === name));

test('a prompt is not blocked for its length, nor for the markup, paths or addresses in it', () => {
  const common = rule('AWSManagedRulesCommonRuleSet');
  for (const name of [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'EC2MetaDataSSRF_BODY',
  ]) {
    expect(common).toContain(`{"ActionToUse":{"Count":{}},"Name":"${name}"}`);
  }
  expect(common).not.toContain('_QUERYARGUMENTS');
});

test('one address is counted only where a program has work of it, and not as a backend that shows a token', () => {
  expect(rule('TooManyRequests')).toContain('"SearchString":"/v1/"');
  expect(rule('TooManyRequests')).toMatch(/NotStatement.*"SearchString":"Bearer "/);
  expect(rule('TooManyCalls')).not.toContain('NotStatement');
});

test('rules are tried in an order, each with a metric of its own', () => {
  const priorities = rules().map((it) => it['Priority']);
  expect(priorities).toEqual([0, 1, 2, 3, 4]);
  const metrics = rules().map((it) => JSON.stringify(it['VisibilityConfig']));
  expect(new Set(metrics).size).toBe(priorities.length);
});

test('what no rule refuses passes, and what was refused can be read for as long as the environment says', () => {
  expect(only(template, 'AWS::WAFv2::WebACL')).toMatchObject({ DefaultAction: { Allow: {} } });
  template.hasResource('AWS::Logs::LogGroup', {
    DeletionPolicy: 'Delete',
    Properties: { LogGroupName: 'aws-waf-logs-mangaassist-dev-edge', RetentionInDays: 7 },
  });
});
