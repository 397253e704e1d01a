import { configure, METRICS, type MetricDefinition } from '@matsuri/contract';
import type { Metrics } from '@matsuri/telemetry';
import type { Question } from '../../ports';
import { createAnswerer, type AnswererOptions } from '../create-answerer';
import { createDownstreams } from '../downstreams';
import { partsOf } from './answer-parts';

const ignored = () => undefined;
const log = { debug: ignored, warn: ignored, error: ignored };

/** Where nothing is ever said. */
export const silent = () => new Promise<never>(ignored);

/** An answerer among stand-ins without a network: what is not changed has nothing to say, at once. */
export function loneAnswerer(changes: Partial<AnswererOptions> = {}) {
  const shared: string[] = [];
  const counted: { readonly name: string; readonly value: string }[] = [];
  const metrics: Metrics = {
    record: (definition: MetricDefinition, _, ...[dimensions]) => {
      const values = Object.values<string>(dimensions ?? {});
      counted.push(...values.map((value) => ({ name: definition.name, value })));
    },
    gauge: () => ignored,
    declare: ignored,
    flush: ignored,
    close: ignored,
  };
  const configuration = changes.configuration ?? configure();
  const answerer = createAnswerer({
    configuration,
    gateway: { open: silent, modelsFor: () => ['simple', 'complex'] },
    ledger: {
      recordCoalesced: ({ requestId }) => {
        shared.push(requestId);
        return Promise.resolve();
      },
    },
    sessions: {
      create: () => Promise.resolve(),
      exists: () => Promise.resolve(true),
      lastTurns: () => Promise.resolve([]),
      append: () => Promise.resolve(),
    },
    downstreams: createDownstreams({ configuration, metrics, log }),
    intent: () => Promise.resolve('faq'),
    embed: () => Promise.resolve([]),
    retrieve: () => Promise.resolve([]),
    mitigations: { now: () => ({ active: new Set(), cacheSeconds: 1, epoch: 0 }) },
    metrics,
    log,
    ...changes,
  });
  return {
    answerer,
    ask: (text: string, signal: AbortSignal = new AbortController().signal) =>
      partsOf(answerer.answer(questionOf(text), signal)),
    question: questionOf,
    /** The messages that were answered at another's cost, by their ids. */
    sharedUses: async () => {
      await answerer.idle();
      return shared;
    },
    /** What was counted of a metric, by its one dimension. */
    counted: (key: keyof typeof METRICS) =>
      counted.filter(({ name }) => name === METRICS[key].name).map(({ value }) => value),
  };
}

/** From somebody who may everything. */
export function questionOf(text: string): Question {
  return {
    session: { tenantId: 't', userId: 'u', sessionId: 's' },
    messageId: 'm',
    text,
    caller: {
      tenantId: 't',
      userId: 'u',
      tokenId: null,
      allowedModels: null,
      residencies: null,
      requestsPerMinute: null,
      tokensPerMinute: null,
    },
  };
}
