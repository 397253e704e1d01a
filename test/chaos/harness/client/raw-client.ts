import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { PATHS } from '@matsuri/contract';
import type { GatewayProcess } from '../gateway-process';
import type { History } from '../history';
import { AnswerWatch, type CallResult } from './answer-watch';
import type { CallPlan } from './call-plan';
import { SseReader } from './sse-reader';

export interface RawClientOptions {
  readonly history: History;
  readonly token: string;
  /** @default 'client' */
  readonly actor?: string;
  /** Longer than any call may take. @default 30000 */
  readonly patienceMs?: number;
}

/** Calls over plain HTTP, seeing every byte, and leaves in whatever way it was told to. */
export class RawClient {
  readonly #options: RawClientOptions;
  readonly #agents = new Map<string, Agent>();

  constructor(options: RawClientOptions) {
    this.#options = options;
  }

  /** Makes one call; resolves when nothing more can come of it. Never rejects. */
  call(gateway: GatewayProcess, plan: CallPlan): Promise<CallResult> {
    const { history, actor = 'client', token, patienceMs = 30_000 } = this.#options;
    const { id, tenant, stream, body } = plan;
    history.append({
      op: 'call',
      type: 'invoke',
      actor,
      id,
      gateway: gateway.name,
      tenant,
      model: body.model,
      stream,
    });
    const watch = new AnswerWatch(plan, history, actor);
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    const outgoing = request(`${gateway.url}${PATHS.chatCompletions}`, {
      method: 'POST',
      agent: this.#agentFor(gateway),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-request-id': id,
      },
    });
    const patience = setTimeout(() => {
      watch.end('hung');
      outgoing.destroy();
    }, patienceMs);
    let answer: IncomingMessage | undefined;
    outgoing.on('response', (response) => {
      answer = response;
      watch.accepted(response.statusCode ?? 0, response.headers);
      readAnswer(watch, outgoing, response);
    });
    outgoing.on('error', (error) => watch.end(endingOf(error, outgoing, watch)));
    const finish = (): void => {
      clearTimeout(patience);
      watch.end('cut');
      resolve(watch.result());
    };
    outgoing.on('close', () => {
      // Whoever is not reading at the moment may have the whole answer and not know it yet.
      if (answer?.complete === true && !answer.readableEnded) answer.once('close', finish);
      else finish();
    });
    outgoing.end(JSON.stringify(body));
    if (plan.departure.kind === 'before-headers') {
      setTimeout(() => leave(watch, outgoing), plan.departure.afterMs);
    }
    return promise;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  #agentFor({ url }: GatewayProcess): Agent {
    const agent = this.#agents.get(url) ?? new Agent({ keepAlive: true });
    this.#agents.set(url, agent);
    return agent;
  }
}

function endingOf(error: Error, outgoing: ClientRequest, watch: AnswerWatch) {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED') return 'unreachable';
  // A kept connection was closed at the moment it was used again: the request was never read.
  const unread = outgoing.reusedSocket && watch.status === 0;
  return code === 'ECONNRESET' && unread ? 'unreachable' : 'cut';
}

function leave(watch: AnswerWatch, outgoing: ClientRequest): void {
  watch.end('left');
  outgoing.destroy();
}

function readAnswer(watch: AnswerWatch, outgoing: ClientRequest, response: IncomingMessage): void {
  const { departure } = watch.plan;
  response.setEncoding('utf8');
  // An answer that is cut short is an error of the response as well; `close` of the request says it all.
  response.on('error', () => undefined);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
  if (!isStream) {
    let text = '';
    response.on('data', (piece: string) => {
      text += piece;
      if (departure.kind === 'at-first-byte') leave(watch, outgoing);
    });
    response.on('end', () => watch.whole(text));
    return;
  }
  const reader = new SseReader();
  response.on('data', (piece: string) => {
    for (const item of reader.take(piece)) {
      if (item.kind === 'comment') watch.comment();
      else watch.event(item.data);
      if (departNow(watch)) depart(watch, outgoing, response);
    }
  });
  response.on('end', () => {
    if (watch.ended && reader.unfinished !== '') watch.overrun(reader.unfinished);
  });
}

function departNow({ plan: { departure }, events, finishing, ended }: AnswerWatch): boolean {
  if (ended) return false;
  switch (departure.kind) {
    case 'stays':
    case 'before-headers':
      return false;
    case 'at-first-byte':
      return true;
    case 'at-last-byte':
      return finishing;
    case 'in-the-middle':
    case 'half-close':
    case 'stops-reading':
      return events === departure.afterEvents;
  }
}

function depart(watch: AnswerWatch, outgoing: ClientRequest, response: IncomingMessage): void {
  const { departure } = watch.plan;
  if (departure.kind === 'half-close') {
    watch.end('left');
    outgoing.socket?.end();
    return;
  }
  if (departure.kind !== 'stops-reading') {
    leave(watch, outgoing);
    return;
  }
  response.pause();
  setTimeout(() => {
    if (departure.then === 'leaves') leave(watch, outgoing);
    else response.resume();
  }, departure.forMs);
}
