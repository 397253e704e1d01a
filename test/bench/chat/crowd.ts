import { setTimeout as pause } from 'node:timers/promises';

import { HEADERS, PATHS } from '@matsuri/contract';
import { Agent, request } from 'undici';
import { z } from 'zod';

import { arrivalTimesMs } from '../gateway/load/arrivals';
import { SessionSocket, type MessageOutcome } from './session-socket';

const opened = z.object({ id: z.string(), ticket: z.string() });
const OPENING_AT_ONCE = 64;
/** Enough loopback addresses that no port range runs out. */
const SOURCE_ADDRESSES = 10;

/** Sessions that are open, and some of which talk. */
export class Crowd {
  readonly sockets: SessionSocket[] = [];
  readonly #random: () => number;
  #questions = 0;
  #turn = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Opens so many more. */
  async open(
    origin: string,
    apiToken: string,
    count: number,
    onOpened: (open: number) => void,
  ): Promise<void> {
    const agent = new Agent({ connections: OPENING_AT_ONCE });
    let left = count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const at = this.sockets.length + left;
        this.sockets.push(await openOne(origin, apiToken, at, agent));
        onOpened(this.sockets.length);
      }
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, worker));
    await agent.close();
  }

  /** Sends at this rate, whatever happens to what was sent; resolves when everything has ended. */
  async talk(
    ratePerSecond: number,
    seconds: number,
    talkers: number,
  ): Promise<readonly MessageOutcome[]> {
    const due = arrivalTimesMs(ratePerSecond, seconds, this.#random);
    const startedAtMs = performance.now();
    const outcomes: Promise<MessageOutcome>[] = [];
    for (const offsetMs of due) {
      const dueAtMs = startedAtMs + offsetMs;
      const waitMs = dueAtMs - performance.now();
      if (waitMs > 1) await pause(waitMs);
      const socket = this.#nextIdle(talkers);
      if (!socket) throw new Error('no session of the crowd is idle: open more of them');
      this.#questions += 1;
      outcomes.push(socket.ask(questionOf(this.#questions, this.#random()), dueAtMs));
    }
    return Promise.all(outcomes);
  }

  close(): void {
    for (const socket of this.sockets) socket.close();
  }

  #nextIdle(talkers: number): SessionSocket | undefined {
    const among = Math.min(talkers, this.sockets.length);
    for (let tried = 0; tried < among; tried += 1) {
      this.#turn = (this.#turn + 1) % among;
      const socket = this.sockets[this.#turn];
      if (socket?.idle) return socket;
    }
    return undefined;
  }
}

/** No two questions are the same, so that none is answered from a cache or together with another. */
function questionOf(number: number, draw: number): string {
  return `Which volume of series ${number}-${draw.toString(36).slice(2)} should I read after volume ${number % 40}?`;
}

async function openOne(
  origin: string,
  apiToken: string,
  at: number,
  dispatcher: Agent,
): Promise<SessionSocket> {
  const { statusCode, body } = await request(`${origin}${PATHS.sessions}`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${apiToken}`, [HEADERS.endUser]: `user-${at}` },
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`a session could not be opened: ${statusCode} ${text}`);
  const { id, ticket } = opened.parse(JSON.parse(text));
  const url = `${origin.replace('http', 'ws')}${PATHS.sessions}/${id}/ws?ticket=${ticket}`;
  return SessionSocket.open(url, `127.0.0.${1 + (at % SOURCE_ADDRESSES)}`);
}
