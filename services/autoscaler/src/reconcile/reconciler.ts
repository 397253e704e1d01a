import { METRIC_PERIOD_SECONDS, METRICS, type PlatformConfiguration } from '@matsuri/contract';
import type { Logger, Metrics } from '@matsuri/telemetry';
import type { Decision, Page } from '../core';
import { FencedError, type Leadership, type Term } from '../leadership/leadership';
import type { Kept, Pager, StateStore, Time } from '../ports';
import { readFacts, type Facts, type Sources } from '../reading/read-facts';
import { applyCapacity } from './apply-capacity';
import { applyFloor } from './apply-floor';
import { applyRecords, sendPages, type Said } from './apply-words';
import { breachedAtMs, decided } from './core/decided-plan';
import { followRise } from './core/scaling-response';
import { Effects } from './effects';
import { reportCycle, type CycleOutcome } from './report';

export interface ReconcilerOptions {
  readonly configuration: PlatformConfiguration;
  readonly mode: 'plan' | 'apply';
  readonly owner: string;
  readonly leadership: Leadership;
  readonly store: StateStore;
  readonly sources: Sources;
  readonly pager: Pager;
  readonly time: Time;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** What the active process remembers from its last cycle; a successor reads it from the store. */
interface Memory {
  readonly epoch: number;
  readonly kept: Kept;
  readonly said?: Said;
}

const PERIOD_MS = METRIC_PERIOD_SECONDS * 1_000;
const NO_EPOCH = 0;
/** Should nobody be reachable for days, the latest words are kept. */
const MOST_UNSENT = 50;
const STANDING_BY = 'the lease is not safely ours: standing by';

/**
 * One cycle: keep the lease, read, decide, write the state down, act.
 *
 * The state is written before anything is done: the conditional write refuses a process that lost its lease, and a
 * purchase is on record before it is made, so that whoever goes on repeats it under the same token.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #withoutProvisioned: PlatformConfiguration;
  #memory: Memory | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { configuration } = options;
    const provisioned = { ...configuration.provisioned, enabled: false };
    this.#withoutProvisioned = { ...configuration, provisioned };
  }

  /** Never rejects. */
  async cycle(): Promise<CycleOutcome> {
    const { log, metrics, mode } = this.#options;
    let outcome: CycleOutcome = 'failed';
    try {
      outcome = mode === 'plan' ? await this.#plan() : await this.#lead();
    } catch (err) {
      if (err instanceof FencedError) {
        outcome = 'fenced';
        this.#forget();
        log.warn(STANDING_BY, { err });
      } else {
        log.error('the cycle failed, the next one tries again', { err });
      }
    }
    metrics.record(METRICS.autoscalerCycles, 1, { Outcome: outcome });
    return outcome;
  }

  async #lead(): Promise<CycleOutcome> {
    const { leadership, log } = this.#options;
    const term = await leadership.term();
    if (term === undefined) {
      if (this.#memory !== undefined) log.warn(STANDING_BY);
      this.#memory = undefined;
      return 'standby';
    }
    const memory = await this.#remembered(term);
    const facts = await this.#read();
    const configuration = this.#configurationFor(facts);
    const decision = decided(
      memory.kept.state,
      facts.snapshot,
      configuration,
      this.#options.time.nowMs(),
    );
    const { kept, responseSeconds } = this.#nextKept(memory.kept, decision, facts);
    if (!(await this.#options.store.save(kept, term.epoch))) throw new FencedError(term.epoch);
    this.#memory = { ...memory, kept };

    const effects = new Effects(term, log);
    await this.#apply(decision, facts, configuration, term, effects);
    const { plan } = decision;
    const { snapshot } = facts;
    const report = { plan, snapshot, responseSeconds, moves: effects.moves };
    reportCycle(this.#options.metrics, report);
    this.#say(decision, effects.failed);
    return effects.failed === 0 ? 'applied' : 'partial';
  }

  /** Decides and says so; changes nothing, not even the state. */
  async #plan(): Promise<CycleOutcome> {
    const kept = this.#memory?.kept ?? (await this.#options.store.peek());
    const facts = await this.#read();
    const configuration = this.#configurationFor(facts);
    const nowMs = this.#options.time.nowMs();
    const decision = decided(kept.state, facts.snapshot, configuration, nowMs);
    this.#memory = { epoch: NO_EPOCH, kept: { ...kept, state: decision.state } };
    this.#say(decision, 0);
    return 'planned';
  }

  async #apply(
    { plan }: Decision,
    facts: Facts,
    configuration: PlatformConfiguration,
    term: Term,
    effects: Effects,
  ): Promise<void> {
    const { sources, pager } = this.#options;
    const words = { records: sources.records, pager };
    await applyFloor(sources, plan, facts, effects);
    const said = await applyRecords(words, plan, this.#memory?.said, term.epoch, effects);
    await applyCapacity(sources, plan, configuration, term.epoch, effects);
    const waiting = this.#memory?.kept.notes.unsent ?? [];
    const unsent = await sendPages(words, waiting, effects);
    await this.#remember(said, unsent, unsent.length < waiting.length ? term : undefined);
  }

  #read(): Promise<Facts> {
    const { sources, configuration, time, log } = this.#options;
    return readFacts(sources, configuration, time.nowMs(), log);
  }

  #configurationFor({ switches }: Facts): PlatformConfiguration {
    return switches.provisionedOff === undefined
      ? this.#options.configuration
      : this.#withoutProvisioned;
  }

  /** A new epoch begins with what the last one left. */
  async #remembered({ epoch }: Term): Promise<Memory> {
    if (this.#memory?.epoch === epoch) return this.#memory;
    const { store, log, owner } = this.#options;
    const kept = await store.claim(epoch);
    if (kept === undefined) throw new FencedError(epoch);
    this.#memory = { epoch, kept };
    const { owner: predecessor, decided: last } = kept.notes;
    log.info('active', { epoch, owner, predecessor, last_decision: last?.reason });
    return this.#memory;
  }

  #nextKept(before: Kept, { state, plan }: Decision, { snapshot }: Facts) {
    const { tasks } = snapshot;
    const response =
      tasks === undefined
        ? { rise: before.notes.rise }
        : followRise(before.notes.rise, {
            running: tasks.running,
            desired: tasks.desired,
            floor: plan.tasks.floor,
            breachedAtMs: breachedAtMs(plan, snapshot, PERIOD_MS),
            nowMs: plan.atMs,
          });
    const { atMs, state: reported, reason } = plan;
    const { floor, reason: floorReason } = plan.tasks;
    const kept: Kept = {
      state,
      notes: {
        rise: response.rise,
        unsent: [...before.notes.unsent, ...plan.pages].slice(-MOST_UNSENT),
        decided: { atMs, state: reported, reason, floor, floorReason },
        owner: this.#options.owner,
      },
    };
    return { kept, responseSeconds: 'seconds' in response ? response.seconds : undefined };
  }

  /** What was sent is written down at once: a successor would send it again. */
  async #remember(said: Said, unsent: readonly Page[], sentIn: Term | undefined): Promise<void> {
    const memory = this.#memory;
    if (memory === undefined) return;
    const kept = { ...memory.kept, notes: { ...memory.kept.notes, unsent: [...unsent] } };
    this.#memory = { ...memory, said, kept };
    if (sentIn !== undefined) await this.#options.store.save(kept, sentIn.epoch);
  }

  #say({ plan }: Decision, failed: number): void {
    const { log, mode } = this.#options;
    log[mode === 'plan' || plan.tasks.change !== 'hold' ? 'info' : 'debug']('decided', {
      state: plan.state,
      reason: plan.reason,
      floor: plan.tasks.floor,
      floor_reason: plan.tasks.reason,
      telemetry: plan.telemetry.complete ? 'complete' : plan.telemetry.problems,
      ...(failed > 0 && { failed_effects: failed }),
    });
  }

  #forget(): void {
    this.#memory = undefined;
    this.#options.leadership.lose();
  }
}
