import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { quotaRuleSchema } from './capacity';
import { pacingChoiceSchema } from './core/models';
import { provisionedSchema } from './core/model-target';
import { scriptMixSchema, scriptRuleSchema } from './core/script-choice';
import { BEDROCK_SCRIPTS } from './core/scripts';
import type { BedrockControl } from './control';

type Endpoint = (control: BedrockControl, body: unknown, query: URLSearchParams) => unknown;

const endpoint =
  <T>(schema: z.ZodType<T>, act: (control: BedrockControl, input: T) => void): Endpoint =>
  (control, body) => {
    act(control, schema.parse(body));
    return { ok: true };
  };

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET health': () => ({ ok: true }),
  'GET scripts': () => BEDROCK_SCRIPTS,
  'GET ledger': (control, _, query) => ({
    entries: control.ledger().filter(({ id }) => id > Number(query.get('after') ?? 0)),
    overlap: control.overlap(),
    overlapByTarget: control.overlapByTarget(),
  }),
  'POST reset': endpoint(z.unknown(), (control) => control.reset()),
  'POST script': endpoint(
    z.union([z.array(scriptRuleSchema), scriptRuleSchema]),
    (control, rules) => [rules].flat().forEach((rule) => control.script(rule)),
  ),
  'POST mix': endpoint(scriptMixSchema.nullable(), (control, mix) => control.mix(mix ?? undefined)),
  'POST quota': endpoint(z.array(quotaRuleSchema), (control, rules) => control.limit(rules)),
  'POST provisioned': endpoint(z.array(provisionedSchema), (control, list) =>
    control.provision(list),
  ),
  'POST pacing': endpoint(pacingChoiceSchema, (control, pacing) => control.pace(pacing)),
};

/** Answers a control request of another process. */
export function answerControl(
  control: BedrockControl,
  request: { method: string; path: string; query: URLSearchParams; body: unknown },
): unknown {
  const act = ENDPOINTS[`${request.method} ${request.path}`];
  if (!act) {
    const known = Object.keys(ENDPOINTS).join(', ');
    throw new AwsError(
      'UnknownOperationException',
      `No such control path; there are: ${known}`,
      404,
    );
  }
  try {
    return act(control, request.body, request.query);
  } catch (cause) {
    if (cause instanceof z.ZodError)
      throw new AwsError('ValidationException', z.prettifyError(cause));
    throw cause;
  }
}
