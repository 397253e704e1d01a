import { parseJsonBody } from '../wire/aws-rest-json-body';
import type { CallPlan } from './call-plan';
import { messageContent, textOfFirst } from './core/answer-content';
import { checkContext, checkConverseRules, effectiveMaxTokens } from './core/converse-rules';
import { parseConverseRequest } from './core/converse-request';
import type { ConverseRequest } from './core/converse-request';
import { generate } from './core/generation';
import type { Generation } from './core/generation';
import { scriptJson } from './core/json-script';
import { resolveTarget } from './core/model-target';
import type { Target } from './core/model-target';
import { finishedAtMs, timelineOf } from './core/pacing';
import type { Timeline } from './core/pacing';
import { countPromptTokens, promptPrefixes } from './core/prompt-blocks';
import type { CachedInput, PromptPrefix } from './core/prompt-cache';
import { reservationOf } from './core/quota';
import type { Reply } from './core/reply';
import { refusalOf } from './core/script-errors';
import type { Script } from './core/scripts';
import { answerFrames, eventFrame } from './core/stream-frames';
import { scriptStream } from './core/stream-script';
import type { TimedFrame } from './core/stream-script';
import { inputUsage, totalUsage } from './core/usage';
import type { TokenUsage } from './core/usage';
import { answerReply, jsonReply } from './replies';
import type { Call, World } from './world';

/** Plans the answer to Converse and ConverseStream; throws what Bedrock refuses with. */
export function planConverse(
  world: World,
  call: Call,
  script: Script,
  reply: (answer: Answer, script: Script) => Reply,
): CallPlan {
  const target = resolveTarget(world.offering, call.modelId, call.region);
  const { model } = target;
  const request = parseConverseRequest(parseJsonBody(call.body));
  checkConverseRules(request, model);
  const prefixes = promptPrefixes(request);
  const maxTokens = effectiveMaxTokens(request, model);
  checkContext(countPromptTokens(prefixes), maxTokens, model);
  const refusal = refusalOf(script.name);
  if (refusal) throw refusal;

  const cached = consultCache(world, target, call.region, prefixes);
  const input = inputUsage(countPromptTokens(prefixes), cached);
  const reservation = world.capacity.reserve(target, call.region, reservationOf(input, maxTokens));
  world.promptCache.commit(cached);

  const generation = generate(request, script, maxTokens);
  const usage = totalUsage(input, generation.outputTokens, cached.written);
  const freshTokens = input.inputTokens + input.cacheWriteInputTokens;
  const timeline = timelineOf(world.pacingOf(model), freshTokens, generation.seed);
  return {
    reply: reply({ request, generation, usage, timeline, requestId: call.requestId }, script),
    input,
    usage,
    textOfFirst: (tokens) => textOfFirst(generation, tokens),
    reservation,
    burndown: model.burndown,
  };
}

/** An answer that is complete but for the manner of its sending. */
interface Answer {
  readonly request: ConverseRequest;
  readonly generation: Generation;
  readonly usage: TokenUsage;
  readonly timeline: Timeline;
  readonly requestId: string;
}

function consultCache(
  world: World,
  { model, quotaKey }: Target,
  region: string,
  prefixes: readonly PromptPrefix[],
): CachedInput {
  // A model without prompt caching takes cache points and ignores them.
  const minTokens = model.cacheMinTokens ?? Infinity;
  return world.promptCache.consult(`${quotaKey}|${region}`, minTokens, prefixes);
}

/** The answer as a stream of events, a token each. */
export function streamReply(answer: Answer, script: Script): Reply {
  const scripted = scriptStream(timedFrames(answer), script);
  return answerReply(
    scripted,
    {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': answer.requestId,
    },
    script,
  );
}

function timedFrames(answer: Answer): TimedFrame[] {
  const { timeline, generation } = answer;
  let tokens = 0;
  const frames = answerFrames(generation).map((frame): TimedFrame => {
    tokens += frame.tokens;
    const atMs =
      frame.kind === 'messageStart' ? timeline.messageStartAtMs : finishedAtMs(timeline, tokens);
    return { kind: frame.kind, bytes: frame.bytes, tokens: frame.tokens, atMs };
  });
  frames.push({
    kind: 'metadata',
    bytes: eventFrame('metadata', metadataOf(answer)),
    tokens: 0,
    atMs: finishedAtMs(timeline, tokens),
    statesUsage: true,
  });
  return frames;
}

/** The answer as one JSON document. */
export function wholeReply(answer: Answer, script: Script): Reply {
  const { generation, timeline, requestId } = answer;
  const { stopReason, stopSequence, outputTokens } = generation;
  const body = {
    output: { message: { role: 'assistant', content: messageContent(generation) } },
    stopReason,
    ...metadataOf(answer),
    ...(stopSequence === undefined
      ? {}
      : { additionalModelResponseFields: { stop_sequence: stopSequence } }),
  };
  const readyAtMs = finishedAtMs(timeline, outputTokens);
  const scripted = scriptJson({ body, readyAtMs, tokens: outputTokens }, script);
  return jsonReply(scripted, { 'x-amzn-requestid': requestId }, script);
}

function metadataOf({ request, usage, timeline, generation }: Answer): object {
  const latencyMs = Math.max(1, Math.round(finishedAtMs(timeline, generation.outputTokens)));
  const { performanceConfig, serviceTier } = request;
  return {
    usage,
    metrics: { latencyMs },
    ...(performanceConfig ? { performanceConfig } : {}),
    ...(serviceTier ? { serviceTier } : {}),
  };
}
