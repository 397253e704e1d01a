import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { parseJsonBody } from '../wire/aws-rest-json-body';
import { planWithoutModel } from './call-plan';
import type { CallPlan } from './call-plan';
import { parseConverseRequest, shapeViolation } from './core/converse-request';
import { scriptJson } from './core/json-script';
import { resolveTarget } from './core/model-target';
import { countPromptTokens, promptPrefixes } from './core/prompt-blocks';
import { refusalOf } from './core/script-errors';
import type { Script } from './core/scripts';
import { jsonReply } from './replies';
import type { Call, World } from './world';

const countTokensRequest = z.object({
  input: z.object({ converse: z.unknown(), invokeModel: z.unknown() }).partial(),
});

/** Plans the answer to CountTokens: the input a Converse call would be billed for, at no cost. */
export function planCountTokens(world: World, call: Call, script: Script): CallPlan {
  resolveTarget(world.offering, call.modelId, call.region);
  const parsed = countTokensRequest.safeParse(parseJsonBody(call.body));
  if (!parsed.success) throw shapeViolation(parsed.error);
  if (parsed.data.input.converse === undefined) {
    throw new AwsError(
      'NotImplementedException',
      'The Bedrock stand-in counts the tokens of Converse requests only.',
      501,
    );
  }
  const refusal = refusalOf(script.name);
  if (refusal) throw refusal;
  const prefixes = promptPrefixes(parseConverseRequest(parsed.data.input.converse));
  const body = { inputTokens: countPromptTokens(prefixes) };
  const headers = { 'x-amzn-requestid': call.requestId };
  return planWithoutModel(
    jsonReply(scriptJson({ body, readyAtMs: 0, tokens: 0 }, script), headers, script),
  );
}
