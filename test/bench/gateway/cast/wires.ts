import type { RequestKind, Target } from '../load/orders';
import type { Shape } from '../plan';
import type { Prompt } from './prompts';

/** The profile every system asks for. */
export const MODEL = 'jp.anthropic.claude-haiku-4-5-20251001-v1:0';
export const REGION = 'ap-northeast-1';

/** Credentials in the form AWS gives them; the stand-in knows no secret to check them against. */
export const CREDENTIALS = {
  accessKeyId: 'AKIABENCHMARKEXAMPLE',
  secretAccessKey: 'benchmark/of/the/gateway/EXAMPLEKEY00000',
};

const MAX_TOKENS = 256;
const JSON_CONTENT = { 'content-type': 'application/json' };

/** Requests in OpenAI's format, for the gateways. */
export function openAiRequests(
  model: string,
  prompts: readonly Prompt[],
  headers: Readonly<Record<string, string>>,
): Target['requests'] {
  const kind = (stream: boolean): RequestKind => ({
    path: '/v1/chat/completions',
    headers: { ...JSON_CONTENT, ...headers },
    bodies: prompts.map(({ system, user }) =>
      JSON.stringify({
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        max_tokens: MAX_TOKENS,
        stream,
      }),
    ),
  });
  return { json: kind(false), sse: kind(true) };
}

/** The same requests as Bedrock takes them, for the stand-in itself and for a proxy that changes nothing. */
export function converseRequests(prompts: readonly Prompt[], now: Date): Target['requests'] {
  const operations: Readonly<Record<Shape, string>> = { json: 'converse', sse: 'converse-stream' };
  const kind = (shape: Shape): RequestKind => ({
    path: `/model/${encodeURIComponent(MODEL)}/${operations[shape]}`,
    headers: { ...JSON_CONTENT, ...signatureOfForm(now) },
    bodies: prompts.map(({ system, user }) =>
      JSON.stringify({
        system: [{ text: system }],
        messages: [{ role: 'user', content: [{ text: user }] }],
        inferenceConfig: { maxTokens: MAX_TOKENS },
      }),
    ),
  });
  return { json: kind('json'), sse: kind('sse') };
}

/** A signature in form only: the stand-in reads the region from it and checks no value. */
function signatureOfForm(now: Date): Record<string, string> {
  const stamp = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${CREDENTIALS.accessKeyId}/${stamp.slice(0, 8)}/${REGION}/bedrock/aws4_request`;
  const signature = '0'.repeat(64);
  return {
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  };
}
