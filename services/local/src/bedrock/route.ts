/** What a request to the runtime endpoint asks for. */
export type Route =
  | { readonly kind: 'call'; readonly operation: string; readonly modelId: string }
  | { readonly kind: 'control'; readonly path: string }
  | { readonly kind: 'unknown' };

/** Operations on a model, by the last part of their path. */
const MODEL_OPERATIONS: Readonly<Record<string, string>> = {
  converse: 'Converse',
  'converse-stream': 'ConverseStream',
  'count-tokens': 'CountTokens',
  invoke: 'InvokeModel',
  'invoke-with-response-stream': 'InvokeModelWithResponseStream',
  'invoke-with-bidirectional-stream': 'InvokeModelWithBidirectionalStream',
};

/** Operations that exist but are not about a model. */
const OTHER_OPERATIONS: readonly (readonly [RegExp, string])[] = [
  [/^POST \/guardrail\/[^/]+\/version\/[^/]+\/apply$/, 'ApplyGuardrail'],
  [/^POST \/guardrail-checks\/invoke$/, 'InvokeGuardrailChecks'],
  [/^POST \/async-invoke$/, 'StartAsyncInvoke'],
  [/^GET \/async-invoke$/, 'ListAsyncInvokes'],
  [/^GET \/async-invoke\/.+$/, 'GetAsyncInvoke'],
];

// ARNs hold slashes; clients differ in whether they escape them.
const MODEL_PATH = /^\/model\/(.+)\/([a-z-]+)$/;
const CONTROL_PATH = /^\/_standin\/([a-z]+)$/;

/** Tells control paths, modelled operations and the rest apart. */
export function routeOf(method: string, path: string): Route {
  const control = CONTROL_PATH.exec(path);
  if (control) return { kind: 'control', path: control[1] ?? '' };
  const model = MODEL_PATH.exec(path);
  const operation = MODEL_OPERATIONS[model?.[2] ?? ''];
  if (method === 'POST' && model && operation) {
    return { kind: 'call', operation, modelId: unescape(model[1] ?? '') };
  }
  const other = OTHER_OPERATIONS.find(([pattern]) => pattern.test(`${method} ${path}`));
  return other ? { kind: 'call', operation: other[1], modelId: '' } : { kind: 'unknown' };
}

function unescape(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}
