import type { ServerFrame } from '@matsuri/contract';

import { Connection } from './connection';
import type { LinkState } from './connection';
import { ask, askAgain, NO_CONVERSATION, openTurn, stop, withAnswer } from './core/conversation';
import type { Answer, Conversation, Turn } from './core/conversation';
import { withHistory } from './core/history';
import { cancelOf, greeting, messageOf, replies } from './core/outgoing';
import type { Locale } from './core/outgoing';
import { resendAfterMs } from './core/patience';
import { receive, strands } from './core/receive';
import { Keeper } from './keeper';
import { remembered } from './memory';
import type { Shop } from './shop';

export interface ChatState {
  readonly conversation: Conversation;
  readonly link: LinkState;
  /** What was said before is being fetched. */
  readonly recalling: boolean;
}

export interface ChatOptions {
  readonly shop: Shop;
  readonly locale: () => Locale;
}

/** One conversation: what is known of it, and the connection that it goes on over. */
export class Chat {
  readonly #options: ChatOptions;
  readonly #listeners = new Set<() => void>();
  readonly #keeper = new Keeper();
  #connection: Connection;
  #sessionId: string | undefined;
  #state: ChatState;
  #held: Answer['held'];
  /** The turn before which another tab's was answered. */
  #waited: Turn | undefined;
  #resend: number | undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    const { sessionId, conversation } = remembered();
    this.#sessionId = sessionId;
    this.#state = { conversation, link: 'connecting', recalling: sessionId !== undefined };
    this.#connection = this.#connect();
  }

  get state(): ChatState {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  ask(question: string): void {
    const clientMessageId = crypto.randomUUID();
    this.#change(ask(this.#state.conversation, { clientMessageId, question }));
    this.#sendOpenTurn();
  }

  askAgain(turn: Turn): void {
    const asked = askAgain(this.#state.conversation, turn, crypto.randomUUID());
    if (asked === this.#state.conversation) return;
    this.#change(asked);
    this.#sendOpenTurn();
  }

  stop(): void {
    this.#change(stop(this.#state.conversation));
    const turn = openTurn(this.#state.conversation);
    for (const frame of turn ? cancelOf(turn) : []) this.#connection.send(frame);
  }

  startAnew(): void {
    this.#connection.close();
    this.#sessionId = undefined;
    this.#update({ recalling: false });
    this.#change(NO_CONVERSATION);
    this.#connection = this.#connect();
  }

  #sendOpenTurn(): void {
    const turn = openTurn(this.#state.conversation);
    if (turn) this.#connection.send(messageOf(turn, this.#options.locale()));
  }

  #connect(): Connection {
    const { shop, locale } = this.#options;
    return new Connection({
      shop,
      sessionId: this.#sessionId,
      greeting: () => this.#greeting(locale()),
      onFrame: (frame) => this.#take(frame),
      onState: (link) => {
        this.#update({ link });
        if (link === 'online') void this.#recall();
      },
      onSession: (sessionId) => this.#begin(sessionId),
    });
  }

  #greeting(locale: Locale) {
    const { conversation } = this.#state;
    const turn = openTurn(conversation);
    return [...greeting(conversation, locale), ...(turn ? cancelOf(turn) : [])];
  }

  #take(frame: ServerFrame): void {
    const before = this.#state.conversation;
    const after = receive(before, frame);
    this.#change(after, frame.type === 'delta' ? 'soon' : 'now');
    if (strands({ before, after }, frame)) {
      this.#connection.reconnect('retryAfterMs' in frame ? frame.retryAfterMs : 0);
    }
    this.#recallOthers(openTurn(before), openTurn(after));
    for (const reply of replies(after, frame, this.#options.locale())) {
      this.#connection.send(reply);
    }
  }

  /** What was answered to another tab while this one waited belongs here too; by the end of the next answer it is saved. */
  #recallOthers(before: Turn | undefined, after: Turn | undefined): void {
    if (before?.answer.held?.by === 'busy') {
      this.#waited = before;
      this.#update({ recalling: true });
    }
    if (before && !after) void this.#recall();
  }

  /** Fetches what was said before; tried again with the next connection or answer where it cannot be had. */
  async #recall(): Promise<void> {
    const sessionId = this.#sessionId;
    if (!this.#state.recalling || sessionId === undefined) return;
    const past = await this.#options.shop.lastTurns(sessionId).catch(() => undefined);
    if (past === undefined || this.#sessionId !== sessionId) return;
    this.#update({ recalling: false });
    this.#change(withHistory(this.#state.conversation, past, this.#waited));
  }

  /** In a new session nothing of an earlier one can be resumed: an open question is asked anew. */
  #begin(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#update({ recalling: false });
    const { turns } = this.#state.conversation;
    const turn = openTurn(this.#state.conversation);
    const begun = turn?.answer.state === 'answering';
    this.#change(begun ? withAnswer({ turns }, turn, { state: 'restarting' }) : { turns });
  }

  #change(conversation: Conversation, keep: 'now' | 'soon' = 'now'): void {
    if (conversation === this.#state.conversation && conversation !== NO_CONVERSATION) return;
    this.#update({ conversation });
    const memory = { ...(this.#sessionId && { sessionId: this.#sessionId }), conversation };
    if (keep === 'now') this.#keeper.keep(memory);
    else this.#keeper.keepSoon(memory);
    this.#hold(openTurn(conversation)?.answer.held);
  }

  /** A message that is held back is sent again in time, unless it is not held any more by then. */
  #hold(held: Answer['held']): void {
    if (held === this.#held) return;
    this.#held = held;
    clearTimeout(this.#resend);
    if (held === undefined) return;
    this.#resend = window.setTimeout(
      () => this.#sendOpenTurn(),
      resendAfterMs(held, Math.random()),
    );
  }

  #update(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
