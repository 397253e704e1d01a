import type { Snapshot, Throughput } from '@matsuri/autoscaler/core';
import type { Passage } from '../models/model-door';
import { throttledCalls, throughTokens, type Passages } from '../models/model-side';
import type { FleetView } from '../platform/fleet';
import type { Flow } from './fluid-queue';

/** What a request costs in time beside waiting for a slot and for the model. */
const OVERHEAD_MS = 300;
/** Throttles are counted by the autoscaler's cycle. */
const CYCLE_SECONDS = 10;

interface Reported {
  readonly passages: Passages;
  readonly flow: Flow;
  readonly luck: number;
  readonly fleet: FleetView;
  readonly throughputs: readonly Throughput[];
  readonly seconds: number;
  readonly nowMs: number;
}

/** A step as the service, ECS and Bedrock would report it. */
export function snapshotOf(reported: Reported): Snapshot {
  const { flow, fleet, throughputs, seconds, nowMs, passages, luck } = reported;
  const reading = (value: number) => ({ value, atMs: nowMs });
  const model = (passage: Passage) => ({
    tokensPerSecond: reading(throughTokens(passage) * luck),
    throttles: reading(throttledCalls(passage, luck, CYCLE_SECONDS)),
  });
  return {
    tasks: { running: fleet.running, desired: fleet.desired, minCapacity: fleet.floor },
    service: {
      inFlight: reading(flow.inFlight),
      waiting: reading(flow.waiting),
      arrivalsPerSecond: reading(flow.arrivals / seconds),
      queueDepth: reading(flow.waiting / Math.max(1, fleet.running)),
      latencyP99Ms: reading(OVERHEAD_MS + flow.waitSeconds * 1_000),
    },
    models: { complex: model(passages.complex), simple: model(passages.simple) },
    throughputs,
    freeze: { scaleOut: false, scaleIn: false },
  };
}
