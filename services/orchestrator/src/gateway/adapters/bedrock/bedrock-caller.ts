import { modelOfProfile } from '@matsuri/contract';
import type { Model, ModelCatalogue } from '@matsuri/contract';

import type { ModelAnswer, ModelEvent } from '../../core/model-event';
import type { ModelRequest } from '../../core/model-request';
import { ModelCallError } from '../../ports';
import type { CallOptions, CallTarget, ModelCaller } from '../../ports';
import { abortable } from './abortable';
import { readConverseAnswer } from './converse-answer';
import { converseBody } from './converse-body';
import { CredentialCache } from './credential-cache';
import type { AwsCredentials, CredentialProvider } from './credential-cache';
import { embedTexts } from './embed-texts';
import type { Embeddings } from './embed-texts';
import type { Operation } from './model-path';
import { openRegion } from './region-endpoint';
import type { RegionEndpoint } from './region-endpoint';
import type { ConnectionSettings, ConnectionUse } from './region-pool';
import { StreamedAnswer } from './streamed-answer';
import { UpstreamCall } from './upstream-call';
import type { AnswerSink } from './upstream-call';
import { refusalError, spoilsCredentials } from './upstream-failure';
import { WholeAnswer } from './whole-answer';

export interface BedrockCallerOptions {
  readonly catalogue: ModelCatalogue;
  readonly credentials: CredentialProvider;
  /** Per region. */
  readonly connections: ConnectionSettings;
  /** Stands for Bedrock's endpoint in every region. @default AWS's own, by region */
  readonly endpoint?: string | undefined;
  /** @default Date.now */
  readonly nowMs?: () => number;
}

/** Bedrock's runtime: chat by Converse and ConverseStream, embeddings by InvokeModel. */
export interface BedrockCaller extends ModelCaller {
  /** One vector per text, in their order. */
  embed(target: CallTarget, texts: readonly string[], options: CallOptions): Promise<Embeddings>;
  /** How the connections are used now, by region. */
  connections(): Readonly<Record<string, ConnectionUse>>;
  /** Ends all calls and connections. */
  close(): Promise<void>;
}

/** Makes the caller of all models on Bedrock. Nothing is connected before the first call. */
export function createBedrockCaller(options: BedrockCallerOptions): BedrockCaller {
  return new Caller(options);
}

/** A request before it is signed. */
interface Outgoing {
  readonly target: CallTarget;
  readonly operation: Operation;
  readonly body: object;
}

const ATTEMPT_HEADER = 'x-attempt-id';
const USER_AGENT = 'matsuri-gateway';

class Caller implements BedrockCaller {
  private readonly regions = new Map<string, RegionEndpoint>();
  private readonly credentials: CredentialCache;
  private readonly nowMs: () => number;

  constructor(private readonly options: BedrockCallerOptions) {
    this.nowMs = options.nowMs ?? Date.now;
    this.credentials = new CredentialCache(options.credentials, this.nowMs);
  }

  async stream(
    target: CallTarget,
    request: ModelRequest,
    options: CallOptions,
  ): Promise<AsyncIterable<readonly ModelEvent[]>> {
    const credentials = await this.ready(options.signal);
    const answer = new StreamedAnswer(options.signal);
    const body = converseBody(request, this.modelOf(target));
    const outgoing = { target, operation: 'converse-stream', body } as const;
    answer.attach(this.send(answer, outgoing, options, credentials));
    return answer.accepted;
  }

  async complete(
    target: CallTarget,
    request: ModelRequest,
    options: CallOptions,
  ): Promise<ModelAnswer> {
    const body = converseBody(request, this.modelOf(target));
    return readConverseAnswer(await this.post({ target, operation: 'converse', body }, options));
  }

  async embed(
    target: CallTarget,
    texts: readonly string[],
    options: CallOptions,
  ): Promise<Embeddings> {
    const { dimensions } = this.modelOf(target);
    return embedTexts(texts, options.signal, (inputText, signal) => {
      const body = { inputText, normalize: true, ...(dimensions !== undefined && { dimensions }) };
      return this.post({ target, operation: 'invoke', body }, { ...options, signal });
    });
  }

  connections(): Readonly<Record<string, ConnectionUse>> {
    return Object.fromEntries([...this.regions].map(([name, { pool }]) => [name, pool.use()]));
  }

  async close(): Promise<void> {
    await Promise.all([...this.regions.values()].map(({ pool }) => pool.close()));
  }

  private async post(outgoing: Outgoing, options: CallOptions): Promise<Buffer> {
    const credentials = await this.ready(options.signal);
    const answer = new WholeAnswer();
    this.send(answer, outgoing, options, credentials);
    return answer.body;
  }

  private send(
    sink: AnswerSink,
    { target, operation, body }: Outgoing,
    { signal, attemptId }: CallOptions,
    credentials: AwsCredentials,
  ): UpstreamCall {
    // The credentials took a turn of the loop at least, and an aborted signal tells nobody twice.
    signal.throwIfAborted();
    const { pool, signer, pathOf } = this.regionOf(target.region);
    const path = pathOf(target.provisionedArn ?? target.profile, operation);
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = signer.sign(path, bytes, credentials, this.nowMs());
    headers.push(ATTEMPT_HEADER, attemptId, 'user-agent', USER_AGENT);
    const call = new UpstreamCall(sink, {
      pool,
      signal,
      refuse: (refusal) => {
        if (spoilsCredentials(refusal)) this.credentials.forget(credentials);
        return refusalError(refusal, this.nowMs());
      },
    });
    call.send({ method: 'POST', path: path.sent, headers, body: bytes });
    return call;
  }

  /** Credentials for a call that nobody has aborted yet. */
  private async ready(signal: AbortSignal): Promise<AwsCredentials> {
    signal.throwIfAborted();
    try {
      const credentials = this.credentials.get();
      return credentials instanceof Promise ? await abortable(credentials, signal) : credentials;
    } catch (cause) {
      signal.throwIfAborted();
      throw new ModelCallError('misconfigured', 'There are no credentials for Bedrock.', { cause });
    }
  }

  private regionOf(name: string): RegionEndpoint {
    let region = this.regions.get(name);
    if (!region) {
      region = openRegion(name, this.options.endpoint, this.options.connections);
      this.regions.set(name, region);
    }
    return region;
  }

  private modelOf({ profile }: CallTarget): Model {
    const model = modelOfProfile(this.options.catalogue, profile);
    if (model) return model;
    throw new ModelCallError('misconfigured', `The catalogue does not hold ${profile}.`);
  }
}
