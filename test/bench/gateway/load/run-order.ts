import { arrivalTimesMs } from './arrivals';
import type { ConnectionSet } from './connection-set';
import type { ClosedLoopOrder, OpenLoopOrder, Order, Sample } from './orders';
import { SampleRecorder } from './sample-recorder';
import { seededRandom } from './seeded-random';

/** How long the last answers may take after the last request was due. */
const PATIENCE_MS = 20_000;
const CLOSED_LOOP_LIMIT_MS = 60_000;
/** The first arrival is a little ahead, so that laying out the order does not make it late. */
const LEAD_MS = 20;

/** Carries out one order; ends when all was answered or time is up, whichever is first. */
export function runOrder(connections: ConnectionSet, order: Order): Promise<Sample> {
  switch (order.kind) {
    case 'open-loop':
      return runOpenLoop(connections, order);
    case 'closed-loop':
      return runClosedLoop(connections, order);
  }
}

async function runOpenLoop(connections: ConnectionSet, order: OpenLoopOrder): Promise<Sample> {
  const { ratePerSecond, seconds, seed, shape } = order;
  const arrivals = arrivalTimesMs(ratePerSecond, seconds, seededRandom(seed));
  const recorder = new SampleRecorder(arrivals.length);
  const startAtMs = performance.now() + LEAD_MS;
  return timed(recorder, seconds * 1_000 + PATIENCE_MS, (settle) => {
    let next = 0;
    const sendDue = (): void => {
      for (; next < arrivals.length; next += 1) {
        const intendedAtMs = startAtMs + (arrivals[next] ?? 0);
        const aheadMs = intendedAtMs - performance.now();
        if (aheadMs > 0) {
          setTimeout(sendDue, aheadMs);
          return;
        }
        recorder.sentLateBy(-aheadMs);
        connections.send({
          shape,
          intendedAtMs,
          onEnd: (outcome) => {
            recorder.record(outcome);
            if (recorder.finished === arrivals.length) settle();
          },
        });
      }
    };
    sendDue();
  });
}

async function runClosedLoop(connections: ConnectionSet, order: ClosedLoopOrder): Promise<Sample> {
  const { requests, shape } = order;
  const recorder = new SampleRecorder(requests);
  return timed(recorder, CLOSED_LOOP_LIMIT_MS, (settle) => {
    let sent = 0;
    const sendNext = (): void => {
      if (sent === requests) return;
      sent += 1;
      connections.send({
        shape,
        intendedAtMs: performance.now(),
        onEnd: (outcome) => {
          recorder.record(outcome);
          if (recorder.finished === requests) settle();
          else sendNext();
        },
      });
    };
    for (let caller = 0; caller < order.callers; caller += 1) sendNext();
  });
}

async function timed(
  recorder: SampleRecorder,
  limitMs: number,
  work: (settle: () => void) => void,
): Promise<Sample> {
  const startedAtMs = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    work(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  recorder.giveUp();
  return recorder.sample(performance.now() - startedAtMs);
}
