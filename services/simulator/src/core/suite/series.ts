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
  readonly longestWaitSeconds: readonly number[];
}

const MOST_STRETCHES = 480;

/** Watches a run and tells it in no more stretches than a screen has room for. */
export class SeriesRecorder {
  private readonly stretchSeconds: number;
  private readonly seconds: number;
  private readonly demand: Float64Array;
  private readonly running: Float64Array;
  private readonly paid: Float64Array;
  private readonly waiting: Float64Array;
  private readonly longest: Float64Array;

  constructor(private readonly scene: Scene) {
    this.seconds = scene.workload.arrivals.length;
    this.stretchSeconds = Math.max(1, Math.ceil(this.seconds / MOST_STRETCHES));
    const stretches = Math.ceil(this.seconds / this.stretchSeconds);
    this.demand = new Float64Array(stretches);
    this.running = new Float64Array(stretches);
    this.paid = new Float64Array(stretches);
    this.waiting = new Float64Array(stretches);
    this.longest = new Float64Array(stretches);
  }

  readonly observe: Observer = (second, queue, fleet) => {
    const at = Math.floor(second / this.stretchSeconds);
    const held = queue.inFlight + queue.waiting;
    add(this.demand, at, held / this.scene.workload.slotsPerTask);
    add(this.running, at, fleet.running);
    add(this.paid, at, fleet.desired);
    raise(this.waiting, at, queue.waiting);
    raise(this.longest, at, queue.longestWaitSeconds);
  };

  series(): Series {
    return {
      stretchSeconds: this.stretchSeconds,
      demand: this.means(this.demand),
      running: this.means(this.running),
      paid: this.means(this.paid),
      waiting: Array.from(this.waiting),
      longestWaitSeconds: Array.from(this.longest),
    };
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
