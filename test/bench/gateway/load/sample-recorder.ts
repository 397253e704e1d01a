import type { ExchangeOutcome } from './exchange';
import type { Sample } from './orders';

/** Room for every measurement of one order, made before the first request. */
export class SampleRecorder {
  private readonly wholeMs: Float64Array;
  private readonly firstContentMs: Float64Array;
  private readonly lateMs: Float64Array;
  private readonly errors: Record<string, number> = {};
  private good = 0;
  private sent = 0;
  private bad = 0;

  constructor(private readonly capacity: number) {
    this.wholeMs = new Float64Array(capacity);
    this.firstContentMs = new Float64Array(capacity);
    this.lateMs = new Float64Array(capacity);
  }

  get finished(): number {
    return this.good + this.bad;
  }

  sentLateBy(ms: number): void {
    this.lateMs[this.sent] = ms;
    this.sent += 1;
  }

  record(outcome: ExchangeOutcome): void {
    if (outcome.kind === 'failed') {
      this.countError(outcome.reason, 1);
      return;
    }
    this.wholeMs[this.good] = outcome.wholeMs;
    this.firstContentMs[this.good] = outcome.firstContentMs;
    this.good += 1;
  }

  /** Requests that are still on their way when time is up have failed too. */
  giveUp(): void {
    const missing = this.capacity - this.finished;
    if (missing > 0) this.countError('unfinished', missing);
  }

  sample(tookMs: number): Sample {
    return {
      tookMs,
      wholeMs: this.wholeMs.slice(0, this.good),
      firstContentMs: this.firstContentMs.slice(0, this.good),
      lateMs: this.lateMs.slice(0, this.sent),
      errors: this.errors,
    };
  }

  private countError(reason: string, times: number): void {
    this.errors[reason] = (this.errors[reason] ?? 0) + times;
    this.bad += times;
  }
}
