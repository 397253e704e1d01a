export interface BenchmarkOptions {
  /** Repeats the arrivals and the prompts of a run. */
  readonly seed: number;
  /** A short run that shows everything works; its figures are too few to publish. */
  readonly quick: boolean;
  /** Show where our own program spends its time instead of comparing. */
  readonly profile: boolean;
}

/** One thing to measure, run by its name: `pnpm bench <name>`. */
export interface Benchmark {
  readonly name: string;
  /** One line for the list. */
  readonly summary: string;
  run(options: BenchmarkOptions): Promise<void>;
}
