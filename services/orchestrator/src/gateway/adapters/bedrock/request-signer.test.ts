import { createHash, createHmac } from 'node:crypto';

import { HttpRequest } from '@smithy/protocol-http';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';

import { createModelPaths } from './model-path';
import { RequestSigner } from './request-signer';

const HOST = 'bedrock-runtime.ap-northeast-1.amazonaws.com';
const REGION = 'ap-northeast-1';

/** The hash the SDK's signer asks for, over the same native code. */
class NativeSha256 {
  private readonly hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' || secret === undefined ? secret : bytesOf(secret);
    this.hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(data: Uint8Array): void {
    this.hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {
    throw new Error('not used');
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Buffer {
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

/** Credentials as exact as the SDK's types want them. */
interface SdkCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

async function signedBySdk(
  path: string,
  body: Buffer,
  credentials: SdkCredentials,
  nowMs: number,
): Promise<Record<string, string>> {
  const signer = new SignatureV4({
    credentials,
    region: REGION,
    service: 'bedrock',
    sha256: NativeSha256,
  });
  const { headers } = await signer.sign(
    new HttpRequest({
      method: 'POST',
      hostname: HOST,
      path,
      headers: { host: HOST, 'content-type': 'application/json' },
      body,
    }),
    { signingDate: new Date(nowMs) },
  );
  const { host, ...rest } = headers;
  expect(host).toBe(HOST);
  return rest;
}

function pairs(headers: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? '';
  return named;
}

const key = fc.stringMatching(/^[A-Z0-9]{16,20}$/);
const secret = fc.stringMatching(/^[A-Za-z0-9/+]{40}$/);
const credentials = fc.record(
  {
    accessKeyId: key,
    secretAccessKey: secret,
    sessionToken: fc.stringMatching(/^[A-Za-z0-9/+=]{1,400}$/),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const modelId = fc.oneof(
  fc.stringMatching(/^[a-z]{2,6}\.[a-z]+\.[a-z0-9-]{3,30}(-v1:0)?$/),
  fc.stringMatching(/^arn:aws:bedrock:[a-z0-9-]{5,14}:\d{12}:provisioned-model\/[a-z0-9]{8,12}$/),
  // No such ids exist; the escaping has to be right all the same.
  fc.string({ unit: 'grapheme', minLength: 3, maxLength: 20 }).filter((id) => /[^.]/.test(id)),
);
const operation = fc.constantFrom('converse', 'converse-stream', 'invoke');
const nowMs = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });

test('signs byte for byte as the SDK does, whoever and whatever was signed before', async () => {
  const signer = new RequestSigner(REGION, HOST);
  const pathOf = createModelPaths('');
  const call = fc.record({
    credentials,
    modelId,
    operation,
    nowMs,
    body: fc.uint8Array({ maxLength: 300 }),
  });
  await fc.assert(
    fc.asyncProperty(call, async (it) => {
      const body = Buffer.from(it.body);
      const path = pathOf(it.modelId, it.operation);
      const ours = signer.sign(path, body, it.credentials, it.nowMs);
      expect(pairs(ours)).toEqual(await signedBySdk(path.sent, body, it.credentials, it.nowMs));
    }),
    { numRuns: 500 },
  );
});

test('a new day and new credentials take a new key, the same second takes none', async () => {
  const signer = new RequestSigner(REGION, HOST);
  const path = createModelPaths('/base')('jp.anthropic.claude-sonnet-5', 'converse');
  const body = Buffer.from('{}');
  const old = { accessKeyId: 'AKIDOLD', secretAccessKey: 'old' };
  const fresh = { accessKeyId: 'AKIDNEW', secretAccessKey: 'new', sessionToken: 'token' };
  const midnight = Date.UTC(2026, 10, 18);
  for (const [who, atMs] of [
    [old, midnight - 1],
    [old, midnight],
    [fresh, midnight],
    [old, midnight + 999],
    [fresh, midnight + 1_000],
  ] as const) {
    const ours = pairs(signer.sign(path, body, who, atMs));
    expect(ours).toEqual(await signedBySdk(path.sent, body, who, atMs));
  }
});
