import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock/clock';
import { every } from '../clock/clock';
import { scaledClock } from '../clock/scaled-clock';
import type { MetricDatum } from '../cloudwatch/core/metric';
import { serveAws } from '../wire/aws-endpoint';
import type { AwsEndpoint } from '../wire/aws-endpoint';
import { awsQueryProtocol } from '../wire/aws-query-protocol';
import { startBalancer } from './balancer';
import type { Balancer, BalancerOptions } from './balancer';
import { groupMetrics } from './group-metrics';
import { loadBalancingOperations } from './operations';
import type { TargetGroupBook } from './operations';
import { startTargetGroup, TARGET_GROUP_DEFAULTS } from './target-groups';
import type { TargetGroup, TargetGroupSettings } from './target-groups';

export type TargetGroupOptions = Partial<TargetGroupSettings> & { readonly name: string };

export interface ElasticLoadBalancingOptions {
  /** @default real time */
  readonly clock?: Clock;
  /** @default a free port */
  readonly port?: number;
  /** Target groups that exist from the start. */
  readonly targetGroups?: readonly TargetGroupOptions[];
  /** Takes the metrics of AWS/ApplicationELB, once a virtual minute. */
  readonly publish?: (data: readonly MetricDatum[]) => void;
  /** @default 'ap-northeast-1' */
  readonly region?: string;
}

/** Elastic Load Balancing v2 on loopback: target groups with real health checks, and balancers. */
export interface ElasticLoadBalancingStandIn extends AwsEndpoint {
  createTargetGroup(options: TargetGroupOptions): TargetGroup;
  /** By name or ARN. */
  targetGroup(nameOrArn: string): TargetGroup | undefined;
  startBalancer(nameOrArn: string, options?: BalancerOptions): Promise<Balancer>;
}

const METRICS_MS = 60_000;

export async function startElasticLoadBalancingStandIn(
  options: ElasticLoadBalancingOptions = {},
): Promise<ElasticLoadBalancingStandIn> {
  const clock = options.clock ?? scaledClock();
  const groups = new Map<string, TargetGroup>();
  const balancers = new Map<Balancer, { readonly group: TargetGroup; counted: number }>();

  const create = (wanted: TargetGroupOptions): TargetGroup => {
    const prefix = `arn:aws:elasticloadbalancing:${options.region ?? 'ap-northeast-1'}:000000000000`;
    const arn = `${prefix}:targetgroup/${wanted.name}/${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const group = startTargetGroup(arn, { ...TARGET_GROUP_DEFAULTS, ...wanted }, clock);
    groups.set(arn, group);
    return group;
  };
  for (const wanted of options.targetGroups ?? []) create(wanted);

  const find = (nameOrArn: string): TargetGroup | undefined =>
    groups.get(nameOrArn) ??
    [...groups.values()].find(({ settings }) => settings.name === nameOrArn);

  const book: TargetGroupBook = {
    find: (arn) => groups.get(arn),
    list: () => [...groups.values()],
    create,
    remove(arn) {
      groups.get(arn)?.stop();
      groups.delete(arn);
    },
  };

  const endpoint = await serveAws({
    protocol: awsQueryProtocol({
      xmlNamespace: 'http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/',
    }),
    operations: loadBalancingOperations(book),
    ...(options.port === undefined ? {} : { port: options.port }),
  });

  const requestsSinceLastLook = (group: TargetGroup): number => {
    let requests = 0;
    for (const [balancer, seen] of balancers) {
      if (seen.group !== group) continue;
      requests += balancer.forwarded() - seen.counted;
      seen.counted = balancer.forwarded();
    }
    return requests;
  };

  const stopMetrics = every(clock, METRICS_MS, () => {
    for (const group of groups.values()) {
      const requests = requestsSinceLastLook(group);
      options.publish?.(groupMetrics(group.arn, group.targets(), requests, clock.nowMs()));
    }
  });

  return {
    ...endpoint,
    createTargetGroup: create,
    targetGroup: find,
    async startBalancer(nameOrArn, balancerOptions) {
      const group = find(nameOrArn);
      if (group === undefined) throw new Error(`There is no target group "${nameOrArn}"`);
      const balancer = await startBalancer(group, clock, balancerOptions);
      balancers.set(balancer, { group, counted: 0 });
      return balancer;
    },
    async close() {
      stopMetrics();
      for (const group of groups.values()) group.stop();
      await Promise.all([...balancers.keys()].map((balancer) => balancer.close()));
      await endpoint.close();
    },
  };
}
