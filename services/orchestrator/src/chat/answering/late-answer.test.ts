import { configure, METRICS } from '@matsuri/contract';
import type { Metrics } from '@matsuri/telemetry';
import type { AnswerPart } from '../ports';
import { createAnswerer } from './create-answerer';
import { createDownstreams } from './downstreams';

const ignored = () => undefined;
const log = { debug: ignored, warn: ignored, error: ignored };
const shipped = configure();
const configuration = {
  ...shipped,
  timeouts: { ...shipped.timeouts, requestDeadlineMs: 30 },
};

/** Answers where whatever is asked first never says a word. */
async function answered() {
  const rungs: string[] = [];
  const metrics: Metrics = {
    record: (definition, _, ...[dimensions]) => {
      if (definition.name !== METRICS.degradedAnswers.name || !dimensions) return;
      rungs.push(...Object.values(dimensions).map(String));
    },
    gauge: () => ignored,
    declare: ignored,
    flush: ignored,
    close: ignored,
  };
  const silent = () => new Promise<never>(ignored);
  const answerer = createAnswerer({
    configuration,
    gateway: { open: silent, modelsFor: () => ['simple', 'complex'] },
    ledger: { recordCoalesced: () => Promise.resolve() },
    sessions: {
      create: () => Promise.resolve(),
      exists: () => Promise.resolve(true),
      lastTurns: () => Promise.resolve([]),
      append: () => Promise.resolve(),
    },
    downstreams: createDownstreams({
      configuration,
      metrics,
      log,
      preScale: { note: ignored, close: ignored },
    }),
    intent: silent,
    embed: () => Promise.resolve([]),
    retrieve: () => Promise.resolve([]),
    mitigations: { now: () => ({ active: new Set(), cacheSeconds: 1, epoch: 0 }) },
    metrics,
    log,
  });
  const session = { tenantId: 't', userId: 'u', sessionId: 's' };
  const caller = {
    tenantId: 't',
    userId: 'u',
    tokenId: null,
    allowedModels: null,
    residencies: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
  };
  const parts: AnswerPart[] = [];
  const question = { session, messageId: 'm', text: 'q', caller };
  for await (const batch of answerer.answer(question, new AbortController().signal)) {
    parts.push(...batch);
  }
  return { parts, rungs };
}

test('an answer that was late before any model was asked is an apology like any other, and counted', async () => {
  const { parts, rungs } = await answered();
  expect(parts).toMatchObject([
    { type: 'degraded', rung: 'apology', parts: ['model'], reason: 'model_unavailable' },
    { type: 'error', code: 'timeout' },
  ]);
  expect(rungs).toEqual(['apology']);
});
