import OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { GatewayProcess } from '../gateway-process';
import { at, numberAt } from '../json';
import { AnswerWatch, type CallResult } from './answer-watch';
import type { CallPlan } from './call-plan';
import type { RawClientOptions } from './raw-client';

/** Calls with OpenAI's own client, unmodified, and writes down what that client makes of the answer. */
export class OfficialClient {
  readonly #options: RawClientOptions;

  constructor(options: RawClientOptions) {
    this.#options = options;
  }

  /** Makes one call; resolves when it is over. Never rejects. */
  async call(gateway: GatewayProcess, plan: CallPlan): Promise<CallResult> {
    const { history, actor = 'official client', token, patienceMs = 30_000 } = this.#options;
    const { id, tenant, stream, body } = plan;
    const invoked = { id, gateway: gateway.name, tenant, model: body.model, stream };
    history.append({ op: 'call', type: 'invoke', actor, ...invoked });
    const watch = new AnswerWatch(plan, history, actor);
    const client = new OpenAI({
      apiKey: token,
      baseURL: `${gateway.url}/v1`,
      maxRetries: 0,
      timeout: patienceMs,
      // A kept connection would outlive the run: this client offers no way to close it.
      defaultHeaders: { 'x-request-id': id, connection: 'close' },
    });
    try {
      await (stream ? readStream(client, plan, watch) : readWhole(client, plan, watch));
    } catch (error) {
      noteFailure(error, watch);
    }
    return watch.result();
  }
}

async function readStream(client: OpenAI, plan: CallPlan, watch: AnswerWatch): Promise<void> {
  const asked = { ...asParams(plan), stream: true } as const;
  const { data, response } = await client.chat.completions.create(asked).withResponse();
  watch.accepted(response.status, Object.fromEntries(response.headers));
  for await (const chunk of data) {
    watch.event(JSON.stringify(chunk));
    const { departure } = plan;
    if (departure.kind === 'in-the-middle' && watch.events === departure.afterEvents) {
      watch.end('left');
      data.controller.abort();
    }
  }
  // This client tells an end without its mark from one with it only by what came before.
  watch.end(watch.finishing ? 'completed' : 'cut');
}

async function readWhole(client: OpenAI, plan: CallPlan, watch: AnswerWatch): Promise<void> {
  const asked = { ...asParams(plan), stream: false } as const;
  const { data, response } = await client.chat.completions.create(asked).withResponse();
  watch.accepted(response.status, Object.fromEntries(response.headers));
  watch.whole(JSON.stringify(data));
}

/** What is posted is the plan's business; the client's types are for people who write requests by hand. */
function asParams({ body }: CallPlan): ChatCompletionCreateParams {
  return { ...body } as unknown as ChatCompletionCreateParams;
}

function noteFailure(error: unknown, watch: AnswerWatch): void {
  if (watch.ended) return;
  if (error instanceof OpenAI.APIConnectionTimeoutError) watch.end('hung');
  else if (error instanceof OpenAI.APIConnectionError) {
    watch.end(String(error.cause).includes('ECONNREFUSED') ? 'unreachable' : 'cut');
  } else if (error instanceof OpenAI.APIError) noteRefusal(error, watch);
  else watch.end('cut');
}

/** Without a status it is an error event of a stream that had begun. */
function noteRefusal(error: Error, watch: AnswerWatch): void {
  const status = numberAt(error, 'status');
  const headers = at(error, 'headers');
  const body = JSON.stringify({ error: at(error, 'error') });
  if (status === undefined) {
    watch.event(body);
    return;
  }
  watch.accepted(status, headers instanceof Headers ? Object.fromEntries(headers) : {});
  watch.whole(body);
}
