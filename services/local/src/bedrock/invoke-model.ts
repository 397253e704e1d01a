import { parseJsonBody } from '../wire/aws-rest-json-body';
import type { CallPlan } from './call-plan';
import { answerEmbedding } from './core/embed-request';
import { scriptJson } from './core/json-script';
import { resolveTarget } from './core/model-target';
import { timelineOf } from './core/pacing';
import { refusalOf } from './core/script-errors';
import type { Script } from './core/scripts';
import { hashText } from './core/seeded-random';
import { totalUsage } from './core/usage';
import { jsonReply } from './replies';
import type { Call, World } from './world';

/** Plans the answer to InvokeModel for embedding models; throws what Bedrock refuses with. */
export function planInvokeModel(world: World, call: Call, script: Script): CallPlan {
  const target = resolveTarget(world.offering, call.modelId, call.region);
  const { body, inputTokens } = answerEmbedding(target.model, parseJsonBody(call.body));
  const refusal = refusalOf(script.name);
  if (refusal) throw refusal;

  const input = { inputTokens, cacheReadInputTokens: 0, cacheWriteInputTokens: 0 };
  const reservation = world.capacity.reserve(target, call.region, inputTokens);
  const pacing = world.pacingOf(target.model);
  const { firstTokenAtMs } = timelineOf(pacing, inputTokens, hashText(call.requestId));
  const scripted = scriptJson({ body, readyAtMs: firstTokenAtMs, tokens: 0 }, script);
  const headers = {
    'x-amzn-requestid': call.requestId,
    'x-amzn-bedrock-input-token-count': String(inputTokens),
    'x-amzn-bedrock-invocation-latency': String(Math.max(1, Math.round(firstTokenAtMs))),
  };
  return {
    reply: jsonReply(scripted, headers, script),
    input,
    usage: totalUsage(input, 0, []),
    textOfFirst: () => '',
    reservation,
    burndown: 1,
  };
}
