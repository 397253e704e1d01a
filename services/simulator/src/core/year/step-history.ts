import type { History, Signal } from '../platform/history';

/** Steps are multiples of it, and so are the periods of all alarms. */
export const SLOT_SECONDS = 10;
const KEPT_SLOTS = 512;

/** The recent past in slots of ten seconds: a year has no room for single seconds. */
export class StepHistory implements History {
  private readonly kept = new Map<Signal, Float64Array>();

  /** What was true from a second on, for a whole number of slots. */
  record(fromSecond: number, seconds: number, values: Readonly<Partial<Record<Signal, number>>>) {
    for (const [signal, value] of entries(values)) {
      const slots = this.slotsOf(signal);
      for (let second = fromSecond; second < fromSecond + seconds; second += SLOT_SECONDS) {
        slots[(second / SLOT_SECONDS) % KEPT_SLOTS] = value;
      }
    }
  }

  mean(signal: Signal, end: number, seconds: number): number {
    const { from, to } = slotRange(end, seconds);
    const slots = this.slotsOf(signal);
    let sum = 0;
    for (let slot = from; slot < to; slot += 1) sum += slots[slot % KEPT_SLOTS] ?? 0;
    return to > from ? sum / (to - from) : 0;
  }

  maximum(signal: Signal, end: number, seconds: number): number {
    const { from, to } = slotRange(end, seconds);
    const slots = this.slotsOf(signal);
    let highest = 0;
    for (let slot = from; slot < to; slot += 1) {
      highest = Math.max(highest, slots[slot % KEPT_SLOTS] ?? 0);
    }
    return highest;
  }

  private slotsOf(signal: Signal): Float64Array {
    const known = this.kept.get(signal);
    if (known !== undefined) return known;
    const made = new Float64Array(KEPT_SLOTS);
    this.kept.set(signal, made);
    return made;
  }
}

function entries(values: Readonly<Partial<Record<Signal, number>>>): [Signal, number][] {
  return SIGNALS.flatMap((signal) => {
    const value = values[signal];
    return value === undefined ? [] : [[signal, value]];
  });
}

const SIGNALS: readonly Signal[] = [
  'arrivals',
  'inFlight',
  'waiting',
  'running',
  'longestWaitSeconds',
];

function slotRange(end: number, seconds: number): { readonly from: number; readonly to: number } {
  return { from: Math.max(0, (end - seconds) / SLOT_SECONDS), to: end / SLOT_SECONDS };
}
