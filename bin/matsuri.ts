#!/usr/bin/env tsx
import { describeContradiction } from '@matsuri/contract';
import { Annotations, App } from 'aws-cdk-lib';

import { environmentNamed } from '../lib/config/environment';
import { NetworkStack } from '../lib/stacks/network-stack';

const app = new App();
const environment = environmentNamed(String(app.node.tryGetContext('env') ?? 'dev'), Date.now());
const { name, platform } = environment;

const network = new NetworkStack(app, `${platform.product.name}-${name}-network`, {
  env: {
    region: platform.region,
    ...(environment.account ? { account: environment.account } : {}),
  },
  zones: environment.availabilityZones,
  natGateways: environment.natGateways,
});
for (const warning of environment.warnings) {
  Annotations.of(network).addWarningV2(`matsuri:${warning.id}`, describeContradiction(warning));
}
app.synth();
