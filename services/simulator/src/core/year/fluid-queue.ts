/** Whoever waited longer is late; whoever would wait longer is gone. */
const LATE_AFTER_SECONDS = 1;
const PATIENCE_SECONDS = 30;

/** What one step did to those who asked. */
export interface Flow {
  readonly arrivals: number;
  readonly started: number;
  readonly inFlight: number;
  readonly waiting: number;
  readonly waitSeconds: number;
  readonly late: number;
  readonly dropped: number;
}

/** A queue for slots of so many requests that single ones are not told apart. */
export class FluidQueue {
  private waiting = 0;

  /** Lives through some seconds in which so many arrive, who hold a slot for so long. */
  step(arrivals: number, secondsPerCall: number, slots: number, seconds: number): Flow {
    const most = secondsPerCall === 0 ? Infinity : (slots / secondsPerCall) * seconds;
    const present = this.waiting + arrivals;
    const started = Math.min(present, most);
    const left = present - started;
    const patient = Math.min(left, (most / seconds) * PATIENCE_SECONDS);
    const waitSeconds =
      most === 0 ? PATIENCE_SECONDS : Math.max(this.waiting, patient) / (most / seconds);
    this.waiting = patient;
    return {
      arrivals,
      started,
      inFlight: Math.min(slots, (started / seconds) * secondsPerCall),
      waiting: patient,
      waitSeconds: left > 0 || waitSeconds > 0 ? waitSeconds : 0,
      late: waitSeconds > LATE_AFTER_SECONDS ? started : 0,
      dropped: left - patient,
    };
  }
}
