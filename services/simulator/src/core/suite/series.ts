import type { Scene } from '../platform/scene';
import type { Observer } from '../platform/simulate';

/** A run over time, in equal stretches; what a plot shows. */
export interface Series {
  readonly stretchSeconds: number;
  /** Tasks that the requests in flight and waiting would fill. */
  readonly demand: readonly number[];
  readonly running: readonly number[];
  /** Running and starting: what is paid. */
  readonly paid: readonly number[];
  /** The most of the stretch. */
  readonly waiting: readonly number[];
  /** What 99 of 100 requests of the stretch stayed within. */
  readonly waitP99Seconds: readonly number[];
  /** Of what was asked, what a model refused. */
  readonly throttledShare: readonly number[];
}

const MOST_STRETCHES = 480;
/** Nobody waits longer than patience lasts. */
const LONGEST_WAIT_SECONDS = 31;

/** Watches a run and tells it in no more stretches than a screen has room for. */
export class SeriesRecorder {
  private readonly stretchSeconds: number;
  private readonly seconds: number;
  private readonly demand: Float64Array;
  private readonly running: Float64Array;
  private readonly paid: Float64Array;
  private readonly waiting: Float64Array;
  private readonly throttled: Float64Array;
  /** Requests of each stretch by the second they waited. */
  private readonly waits: Float64Array;

  constructor(private readonly scene: Scene) {
    this.seconds = scene.workload.arrivals.length;
    this.stretchSeconds = Math.max(1, Math.ceil(this.seconds / MOST_STRETCHES));
    const stretches = Math.ceil(this.seconds / this.stretchSeconds);
    this.demand = new Float64Array(stretches);
    this.running = new Float64Array(stretches);
    this.paid = new Float64Array(stretches);
    this.waiting = new Float64Array(stretches);
    this.throttled = new Float64Array(stretches);
    this.waits = new Float64Array(stretches * (LONGEST_WAIT_SECONDS + 1));
  }

  readonly observe: Observer = (second, queue, fleet, models) => {
    const at = Math.floor(second / this.stretchSeconds);
    const held = queue.inFlight + queue.waiting;
    add(this.demand, at, held / this.scene.workload.slotsPerTask);
    add(this.running, at, fleet.running);
    add(this.paid, at, fleet.desired);
    raise(this.waiting, at, queue.waiting);
    add(this.throttled, at, models.sparedShares.throttled);
    const waited = Math.min(LONGEST_WAIT_SECONDS, queue.longestWaitSeconds);
    const requests = Math.max(queue.started, queue.waiting > 0 ? 1 : 0);
    add(this.waits, at * (LONGEST_WAIT_SECONDS + 1) + waited, requests);
  };

  series(): Series {
    return {
      stretchSeconds: this.stretchSeconds,
      demand: this.means(this.demand),
      running: this.means(this.running),
      paid: this.means(this.paid),
      waiting: Array.from(this.waiting),
      waitP99Seconds: Array.from(this.waiting, (_, at) => this.waitP99(at)),
      throttledShare: this.means(this.throttled),
    };
  }

  private waitP99(stretch: number): number {
    const first = stretch * (LONGEST_WAIT_SECONDS + 1);
    const waits = this.waits.subarray(first, first + LONGEST_WAIT_SECONDS + 1);
    const within = 0.99 * waits.reduce((sum, it) => sum + it, 0);
    let seen = 0;
    return Math.max(
      0,
      waits.findIndex((it) => (seen += it) >= within),
    );
  }

  /** The last stretch may be shorter. */
  private means(sums: Float64Array): readonly number[] {
    return Array.from(sums, (sum, at) => {
      const seconds = Math.min(this.stretchSeconds, this.seconds - at * this.stretchSeconds);
      return Number((sum / seconds).toFixed(2));
    });
  }
}

function add(to: Float64Array, at: number, value: number): void {
  to[at] = (to[at] ?? 0) + value;
}

function raise(to: Float64Array, at: number, value: number): void {
  to[at] = Math.max(to[at] ?? 0, value);
}
