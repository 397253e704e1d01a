#!/usr/bin/env tsx
import { simulateCommand } from '@matsuri/simulator';

import { environmentNamed } from '../lib/config/environment';

process.exitCode = simulateCommand(
  process.argv.slice(2),
  (name, nowMs) => environmentNamed(name, nowMs).platform,
);
