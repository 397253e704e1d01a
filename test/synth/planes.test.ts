/** The figures of network, data, api, edge and capacity. */
import { PATHS, configure, purchasePrefix } from '@matsuri/contract';
import { Match } from 'aws-cdk-lib/assertions';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { staticFiles } from '../../services/local/src/platform/static-files';
import { ENVIRONMENTS } from '../../lib/config/environments';
import { ofType, synthesize } from './synthesized';
import type { Synthesized } from './synthesized';

let prod: Synthesized;
let dev: Synthesized;

beforeAll(() => {
  prod = synthesize('prod');
  dev = synthesize('dev');
});

/** What a deletion of every stack leaves in the account. */
const leftBehind = (it: Synthesized) =>
  it.stacks.flatMap((stack) =>
    Object.entries(it.json(stack).Resources)
      .filter(([, resource]) => resource['DeletionPolicy'] === 'Retain')
      .map(([id, { Type }]) => ({ id: `${stack}/${id.slice(0, -8)}`, type: Type })),
  );

describe('network', () => {
  test('every zone of the configuration gets three subnets, and no other zone', () => {
    const zones = ofType(prod.json('network'), 'AWS::EC2::Subnet').map(
      (it) => it['AvailabilityZone'],
    );
    expect(zones.sort()).toEqual([
      ...Array<string>(3).fill('ap-northeast-1a'),
      ...Array<string>(3).fill('ap-northeast-1c'),
    ]);
  });

  test('a way out does not depend on one zone in production', () => {
    prod.template('network').resourceCountIs('AWS::EC2::NatGateway', 2);
    dev.template('network').resourceCountIs('AWS::EC2::NatGateway', 1);
  });

  test('no instance gets a public address by itself', () => {
    prod
      .template('network')
      .resourcePropertiesCountIs('AWS::EC2::Subnet', { MapPublicIpOnLaunch: true }, 0);
  });

  test('prompts stay inside the network everywhere; in production secrets, images and logs do too', () => {
    const names = (it: Synthesized) =>
      ofType(it.json('network'), 'AWS::EC2::VPCEndpoint')
        .filter(({ VpcEndpointType }) => VpcEndpointType === 'Interface')
        .map(({ ServiceName }) => String(ServiceName).split('.').slice(3).join('.'));
    expect(names(dev)).toEqual(['bedrock-runtime']);
    expect(names(prod)).toEqual(
      expect.arrayContaining(['bedrock-runtime', 'bedrock', 'secretsmanager', 'ecr.api', 'logs']),
    );
  });

  test('refused traffic is recorded', () => {
    prod.template('network').hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'REJECT' });
  });
});

describe('data', () => {
  test('Valkey over two zones, with TLS, a token, and no eviction of limits', () => {
    const data = prod.template('data');
    data.hasResourceProperties('AWS::ElastiCache::ReplicationGroup', {
      Engine: 'valkey',
      MultiAZEnabled: true,
      AutomaticFailoverEnabled: true,
      ReplicasPerNodeGroup: 1,
      TransitEncryptionEnabled: true,
      TransitEncryptionMode: 'required',
      AtRestEncryptionEnabled: true,
      AuthToken: Match.anyValue(),
    });
    data.hasResourceProperties('AWS::ElastiCache::ParameterGroup', {
      Properties: { 'maxmemory-policy': 'noeviction' },
    });
  });

  test('Aurora PostgreSQL with a reader, as many connections as the truth checks count on, and TLS forced', () => {
    const data = prod.template('data');
    data.resourceCountIs('AWS::RDS::DBInstance', 2);
    data.hasResourceProperties('AWS::RDS::DBCluster', {
      Engine: 'aurora-postgresql',
      StorageEncrypted: true,
      DeletionProtection: true,
      BackupRetentionPeriod: 14,
      ServerlessV2ScalingConfiguration: { MinCapacity: 2, MaxCapacity: 16 },
    });
    data.hasResourceProperties('AWS::RDS::DBClusterParameterGroup', {
      Parameters: Match.objectLike({
        max_connections: String(configure().data.postgres.maxConnections),
        'rds.force_ssl': '1',
      }),
    });
  });

  test('tables as the contract keys them, restorable, with expiry where it says so', () => {
    const data = prod.template('data');
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [
        { AttributeName: 'session_key', KeyType: 'HASH' },
        { AttributeName: 'item_key', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      Replicas: [
        Match.objectLike({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ],
    });
    data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [
        { AttributeName: 'tenant_id', KeyType: 'HASH' },
        { AttributeName: 'title_id', KeyType: 'RANGE' },
      ],
    });
  });

  test('vectors are reached from the network only', () => {
    const data = prod.template('data');
    data.hasResourceProperties('AWS::OpenSearchServerless::Collection', { Type: 'VECTORSEARCH' });
    data.hasResourceProperties('AWS::OpenSearchServerless::SecurityPolicy', {
      Type: 'network',
      Policy: {
        'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('AllowFromPublic":false')])],
      },
    });
  });

  test('passwords and the cache’s token rotate', () => {
    const rotations = ofType(prod.json('data'), 'AWS::SecretsManager::RotationSchedule');
    expect(rotations).toHaveLength(3);
  });

  test('production’s data outlives its stack, and the stack refuses to go', () => {
    const kept = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];
    expect(new Set(leftBehind(prod).map(({ type }) => type))).toEqual(
      new Set([...kept, 'AWS::S3::Bucket']),
    );
    prod.template('data').hasResource('AWS::RDS::DBCluster', {
      DeletionPolicy: 'Snapshot',
      Properties: { DeletionProtection: true },
    });
    const protectedOnes = (it: Synthesized) =>
      it.assembly.stacks.filter(({ terminationProtection }) => terminationProtection);
    expect(protectedOnes(prod).map(({ stackName }) => stackName)).toEqual([
      'mangaassist-prod-data',
    ]);
    expect(protectedOnes(dev)).toEqual([]);
  });

  test('what stays behind is what docs/deploy.md names: nothing of dev, and of production nothing billed by the hour', () => {
    expect(leftBehind(dev)).toEqual([]);
    expect(leftBehind(prod).map(({ id }) => id)).toEqual([
      'data/Key',
      'data/SessionsTable',
      'data/CatalogueTable',
      'data/AccessPeppers',
      'data/AccessAdminToken',
      'chat/AccessLogsBucket',
      'edge/AccessLogsBucket',
    ]);
  });
});

describe('api', () => {
  test('m6i.large hosts, 2 to 10, whose role containers cannot reach', () => {
    const api = prod.template('api');
    api.hasResourceProperties('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: Match.objectLike({
        InstanceType: 'm6i.large',
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      }),
    });
    api.hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      MinSize: '2',
      MaxSize: '10',
      NewInstancesProtectedFromScaleIn: true,
    });
  });

  test('hosts come and go with their tasks, with room for a rolling deployment', () => {
    prod.template('api').hasResourceProperties('AWS::ECS::CapacityProvider', {
      AutoScalingGroupProvider: Match.objectLike({
        ManagedScaling: Match.objectLike({ Status: 'ENABLED', TargetCapacity: 80 }),
        ManagedTerminationProtection: 'ENABLED',
        ManagedDraining: 'ENABLED',
      }),
    });
  });

  test('tasks of 1,024 CPU units, 1,536 MB soft, 3,072 MB hard, on ports that hosts hand out', () => {
    prod.template('api').hasResourceProperties('AWS::ECS::TaskDefinition', {
      NetworkMode: 'bridge',
      ContainerDefinitions: [
        Match.objectLike({
          Name: 'api',
          Cpu: 1024,
          MemoryReservation: 1536,
          Memory: 3072,
          DockerSecurityOptions: ['no-new-privileges'],
          PortMappings: [Match.objectLike({ ContainerPort: 8090, HostPort: 0 })],
        }),
      ],
    });
  });

  test('replaced 100/200 with a circuit breaker; a draining task has 300 s', () => {
    const api = prod.template('api');
    api.hasResourceProperties('AWS::ECS::Service', {
      DeploymentConfiguration: Match.objectLike({
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
      }),
    });
    api.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckPath: PATHS.ready,
      HealthCheckPort: 'traffic-port',
      HealthCheckIntervalSeconds: 10,
      HealthyThresholdCount: 2,
      UnhealthyThresholdCount: 3,
      TargetGroupAttributes: Match.arrayWith([
        { Key: 'deregistration_delay.timeout_seconds', Value: '300' },
        { Key: 'load_balancing.algorithm.type', Value: 'round_robin' },
      ]),
    });
  });

  test('is mangaassist-api, two to ten tasks, each with 120 s to end what it does', () => {
    const api = prod.template('api');
    api.hasResourceProperties('AWS::ECS::Service', { ServiceName: 'mangaassist-api' });
    api.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 2,
      MaxCapacity: 10,
    });
    api.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [Match.objectLike({ StopTimeout: 120 })],
    });
  });

  test.each([
    ['ECSServiceAverageCPUUtilization', 70],
    ['ALBRequestCountPerTarget', 1000],
  ])('%s is tracked at %d, out 60 s, in 300 s', (PredefinedMetricType, TargetValue) => {
    prod.template('api').hasResourceProperties('AWS::ApplicationAutoScaling::ScalingPolicy', {
      TargetTrackingScalingPolicyConfiguration: Match.objectLike({
        TargetValue,
        ScaleOutCooldown: 60,
        ScaleInCooldown: 300,
        PredefinedMetricSpecification: Match.objectLike({ PredefinedMetricType }),
      }),
    });
  });

  test('nothing keeps the stack from being deleted: the service goes, then the hosts, then what ties them to the cluster', () => {
    const { Resources } = prod.json('api');
    const idOf = (type: string) =>
      Object.entries(Resources).find(([, { Type }]) => Type === type)?.[0] ?? type;
    const letGo = idOf('Custom::LetHostsGo');
    const ties = idOf('AWS::ECS::ClusterCapacityProviderAssociations');
    expect(Resources[idOf('AWS::ECS::Service')]?.['DependsOn']).toContain(letGo);
    expect(Resources[letGo]?.['DependsOn']).toEqual(
      expect.arrayContaining([ties, idOf('AWS::ECS::CapacityProvider')]),
    );
  });
});

describe('edge', () => {
  const behaviours = (it: Synthesized) => {
    const [distribution] = ofType(it.json('edge'), 'AWS::CloudFront::Distribution');
    return distribution?.['DistributionConfig'] as {
      CacheBehaviors: Record<string, unknown>[];
      Origins: Record<string, unknown>[];
      Aliases?: string[];
    };
  };
  const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
  const ALL_VIEWER = '216adef6-5c7f-47e4-b989-5492eafa07d3';

  test('streams and sockets pass: nothing cached, compressed or left out', () => {
    const paths = behaviours(prod).CacheBehaviors.map((it) => it['PathPattern']);
    expect(paths).toEqual(['/v1/chat/completions*', '/v1/sessions*', '/v1/*', '/openapi.json']);
    for (const behaviour of behaviours(prod).CacheBehaviors) {
      expect(behaviour).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER,
        Compress: false,
        ViewerProtocolPolicy: 'https-only',
      });
    }
  });

  test('the load balancer is reached inside the network, over TLS, 60 s between packets', () => {
    prod.template('edge').hasResourceProperties('AWS::CloudFront::VpcOrigin', {
      VpcOriginEndpointConfig: Match.objectLike({ OriginProtocolPolicy: 'https-only' }),
    });
    const [origin] = behaviours(prod).Origins.filter((it) => 'VpcOriginConfig' in it);
    expect(origin?.['VpcOriginConfig']).toMatchObject({ OriginReadTimeout: 60 });
  });

  test('a domain where data is kept; CloudFront’s own name and HTTP inside the network in dev', () => {
    expect(behaviours(prod).Aliases).toEqual(['chat.example.com']);
    expect(behaviours(dev).Aliases).toBeUndefined();
    dev.template('edge').hasResourceProperties('AWS::CloudFront::VpcOrigin', {
      VpcOriginEndpointConfig: Match.objectLike({ OriginProtocolPolicy: 'http-only' }),
    });
  });

  test('long prompts pass the firewall; its body rules count', () => {
    prod.template('edge-firewall').hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: Match.arrayWith([
        Match.objectLike({
          Name: 'AWSManagedRulesCommonRuleSet',
          Statement: {
            ManagedRuleGroupStatement: Match.objectLike({
              RuleActionOverrides: Match.arrayWith([
                { Name: 'SizeRestrictions_BODY', ActionToUse: { Count: {} } },
              ]),
            }),
          },
        }),
      ]),
    });
    const firewall = prod.assembly.getStackByName('mangaassist-prod-edge-firewall');
    expect(firewall.environment.region).toBe('us-east-1');
  });

  test('an address without a token gets 3,000 requests in five minutes, a backend with one 60,000', () => {
    const [acl] = ofType(prod.json('edge-firewall'), 'AWS::WAFv2::WebACL');
    const limits = (acl?.['Rules'] as { Name: string; Statement: object; Action?: object }[])
      .filter(({ Statement }) => 'RateBasedStatement' in Statement)
      .map(({ Name, Statement, Action }) => ({ Name, Action, text: JSON.stringify(Statement) }));
    expect(limits).toMatchObject([
      { Name: 'TooManyRequests', text: expect.stringContaining('"Limit":3000') as string },
      { Name: 'TooManyCalls', text: expect.stringContaining('"Limit":60000') as string },
    ]);
    for (const { text, Action } of limits) {
      expect(text).toContain('"SearchString":"/v1/"');
      expect(text).toContain('"EvaluationWindowSec":300');
      expect(Action).toEqual({ Block: { CustomResponse: { ResponseCode: 429 } } });
    }
    expect(limits[0]?.text).toContain('NotStatement');
  });

  test('the firewall’s log names neither callers nor their credentials', () => {
    prod.template('edge-firewall').hasResourceProperties('AWS::WAFv2::LoggingConfiguration', {
      RedactedFields: [
        { SingleHeader: { Name: 'authorization' } },
        { SingleHeader: { Name: 'x-end-user' } },
        { QueryString: {} },
      ],
    });
  });

  test('a new page is seen at once, its files are kept for a year', () => {
    const edge = prod.template('edge');
    edge.hasResourceProperties('Custom::CDKBucketDeployment', {
      Include: ['index.html'],
      Exclude: ['*'],
      SystemMetadata: { 'cache-control': 'no-cache' },
    });
    edge.hasResourceProperties('Custom::CDKBucketDeployment', {
      Exclude: ['index.html'],
      SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
    });
    edge.allResourcesProperties('Custom::CDKBucketDeployment', { Prune: false });
  });

  test('the page has the policy with which the browser tests run it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'matsuri-page-'));
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    const server = createServer(staticFiles(folder)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    server.close();
    rmSync(folder, { recursive: true });
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    prod.template('edge').hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: {
          ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
          ReferrerPolicy: { ReferrerPolicy: headers.get('referrer-policy'), Override: true },
          ContentTypeOptions: { Override: true },
        },
      },
    });
  });

  test('headers that only programs set do not come in from outside', () => {
    prod.template('edge').hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: Match.stringLikeRegexp("delete headers\\['x-origin-verify'\\]"),
    });
  });

  test('whom a backend speaks for comes through: without it all users of a shop would be one', () => {
    const functions = prod.template('edge').findResources('AWS::CloudFront::Function');
    expect(JSON.stringify(functions)).not.toContain('x-end-user');
  });
});

describe('capacity', () => {
  test('two autoscalers, of which the one with the lease decides', () => {
    const capacity = prod.template('capacity');
    capacity.hasResourceProperties('AWS::ECS::Service', {
      ServiceName: 'mangaassist-autoscaler',
      DesiredCount: 2,
    });
    capacity.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [{ AttributeName: 'item', KeyType: 'HASH' }],
    });
  });

  test('floors only of task counts, and of one service', () => {
    const text = JSON.stringify(prod.json('capacity'));
    expect(text).toContain(
      '"application-autoscaling:scalable-dimension":"ecs:service:DesiredCount"',
    );
    expect(text).not.toContain('application-autoscaling:*');
  });

  test('what was bought is given back when the stack goes', () => {
    prod.template('capacity').hasResourceProperties('Custom::Purchases', {
      prefix: purchasePrefix('mangaassist', 'prod'),
    });
  });

  test('it is given back after the autoscaler has gone, which would buy it again', () => {
    const resources = Object.entries(prod.json('capacity').Resources);
    const [release] = resources.find(([, { Type }]) => Type === 'Custom::Purchases') ?? [];
    prod.template('capacity').hasResource('AWS::ECS::Service', {
      DependsOn: Match.arrayWith([release]),
    });
  });
});

test('stacks depend on those before them, never the other way round', () => {
  const order = [
    'network',
    'data',
    'chat',
    'api',
    'edge-firewall',
    'edge',
    'capacity',
    'observability',
  ];
  for (const { stackName, dependencies } of prod.assembly.stacks) {
    const own = order.indexOf(stackName.replace('mangaassist-prod-', ''));
    for (const { id } of dependencies) {
      const other = order.indexOf(id.replace('mangaassist-prod-', ''));
      if (other >= 0) expect(other).toBeLessThan(own);
    }
  }
});

test('everything is in Tokyo but the firewall, which CloudFront looks for in us-east-1', () => {
  const regions = prod.assembly.stacks.map(({ stackName, environment }) => [
    stackName.replace('mangaassist-prod-', ''),
    environment.region,
  ]);
  expect(Object.fromEntries(regions)).toEqual({
    network: 'ap-northeast-1',
    data: 'ap-northeast-1',
    chat: 'ap-northeast-1',
    api: 'ap-northeast-1',
    'edge-firewall': 'us-east-1',
    edge: 'ap-northeast-1',
    capacity: 'ap-northeast-1',
    observability: 'ap-northeast-1',
  });
});

test('zones are configuration, two in every environment', () => {
  for (const { availabilityZones } of Object.values(ENVIRONMENTS)) {
    expect(availabilityZones).toHaveLength(2);
  }
});

test('an environment that names its account is synthesized without asking that account', () => {
  const { assembly } = synthesize('dev', { choices: { account: '111122223333' } });
  expect(assembly.manifest.missing ?? []).toEqual([]);
});
