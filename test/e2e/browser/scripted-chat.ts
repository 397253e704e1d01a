import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { ClientFrame, ServerFrame } from '@matsuri/contract';
import type { Page, WebSocketRoute } from 'playwright-core';

const PATIENCE_MS = 30_000;
const URL_OF_SHOP = 'https://shop.example/';
const BUILT = join(__dirname, '../../../dist/console');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

type Placeless<Frame> = Frame extends unknown ? Omit<Frame, 'id' | 'messageId'> : never;

/** A chat that says what the test says: for what a whole platform does rarely, or never twice the same. */
export class ScriptedChat {
  readonly url = URL_OF_SHOP;
  /** What the page has said. */
  readonly heard: ClientFrame[] = [];
  #socket: WebSocketRoute | undefined;
  #epoch = 0;
  #seq = 0;

  /** Stands in for all that the page may ask for. */
  async serve(page: Page): Promise<void> {
    await page.route(`${URL_OF_SHOP}**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/shop/')) {
        const body = { id: 'session', ticket: 'ticket', turns: [] };
        await route.fulfill({ status: 201, json: body });
        return;
      }
      const file = pathname === '/' ? '/index.html' : pathname;
      const contentType = TYPES[extname(file)] ?? 'application/octet-stream';
      await route.fulfill({ body: readFileSync(join(BUILT, file)), contentType });
    });
    await page.routeWebSocket(/\/ws\?/, (socket) => {
      this.#socket = socket;
      socket.onMessage((text) => {
        this.heard.push(JSON.parse(String(text)) as ClientFrame);
      });
    });
  }

  /** Resolves with the message that was sent as the so-many-th, counted from 1. */
  async message(nth: number): Promise<Extract<ClientFrame, { type: 'message' }>> {
    const giveUpAtMs = performance.now() + PATIENCE_MS;
    while (performance.now() < giveUpAtMs) {
      const found = this.heard.filter((frame) => frame.type === 'message').at(nth - 1);
      if (found) return found;
      await pause(20);
    }
    throw new Error(`only this was heard: ${JSON.stringify(this.heard)}`);
  }

  /** Accepts that message: what is said next is its answer. */
  async accept(nth: number): Promise<void> {
    const { clientMessageId } = await this.message(nth);
    this.#epoch += 1;
    this.#seq = -1;
    this.say({ type: 'message', clientMessageId });
  }

  async refuse(nth: number, code: 'busy' | 'overloaded', retryAfterMs: number): Promise<void> {
    const { clientMessageId } = await this.message(nth);
    const frame = { type: 'error', code, clientMessageId, message: 'internal words', retryAfterMs };
    this.#socket?.send(JSON.stringify({ id: '0:0', ...frame }));
  }

  /** Says the next frame of the answer. */
  say(frame: Placeless<ServerFrame>): void {
    this.#seq += 1;
    const id = `${this.#epoch}:${this.#seq}`;
    this.#socket?.send(JSON.stringify({ id, messageId: `message-${this.#epoch}`, ...frame }));
  }
}
