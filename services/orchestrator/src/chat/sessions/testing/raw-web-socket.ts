import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** A frame as the protocol or its abuser writes it. */
export interface RawFrame {
  readonly opcode: number;
  readonly payload?: Buffer;
  /** @default true */
  readonly fin?: boolean;
  /** @default 0 */
  readonly rsv?: number;
  /** @default true */
  readonly masked?: boolean;
  /** What the header says instead of the payload's length. */
  readonly claimedLength?: number;
}

const MASK = 0x80;
const NO_MASK_BYTES = Buffer.alloc(4);

export function frameBytes(frame: RawFrame): Buffer {
  const { opcode, payload = Buffer.alloc(0), fin = true, rsv = 0, masked = true } = frame;
  const length = frame.claimedLength ?? payload.length;
  const first = (fin ? MASK : 0) | (rsv << 4) | opcode;
  const flag = masked ? MASK : 0;
  const head = Buffer.from(
    length < 126
      ? [first, flag | length]
      : length < 65_536
        ? [first, flag | 126, length >> 8, length & 255]
        : [first, flag | 127, 0, 0, 0, 0, ...uint32(length)],
  );
  return Buffer.concat(masked ? [head, NO_MASK_BYTES, payload] : [head, payload]);
}

function uint32(value: number): readonly number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** A TCP connection that says what it likes. */
export class RawWebSocket {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  readonly #ended: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    socket.on('error', () => undefined);
    this.#ended = new Promise((resolve) => socket.on('close', () => resolve()));
  }

  /** Sends a handshake with these headers; resolves with the status line's code. */
  static async open(
    url: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly socket: RawWebSocket; readonly status: number }> {
    const { hostname, port } = new URL(url);
    const socket = new RawWebSocket(connect(Number(port), hostname));
    socket.#socket.write(requestFor(url, path, headers));
    return { socket, status: await socket.#status() };
  }

  /** Sends a handshake and resets the connection before it can be answered. */
  static async openAndReset(
    url: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { hostname, port } = new URL(url);
    const socket = new RawWebSocket(connect(Number(port), hostname));
    socket.#socket.write(requestFor(url, path, headers), () => socket.#socket.resetAndDestroy());
    await socket.#ended;
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** The close code the server says goodbye with; `undefined` where it just ends the connection. */
  async closeCode(): Promise<number | undefined> {
    for (;;) {
      const code = closeCodeIn(this.#received);
      if (code !== undefined || this.#socket.destroyed) {
        this.#socket.destroy();
        return code;
      }
      await Promise.race([
        this.#ended,
        new Promise((resolve) => this.#socket.once('data', resolve)),
      ]);
    }
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async #status(): Promise<number> {
    while (!this.#received.includes('\r\n\r\n')) {
      await new Promise((resolve) => this.#socket.once('data', resolve).once('close', resolve));
      if (this.#socket.destroyed) break;
    }
    const status = Number(this.#received.subarray(9, 12).toString('latin1'));
    this.#received = this.#received.subarray(this.#received.indexOf('\r\n\r\n') + 4);
    return status;
  }
}

function requestFor(url: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Walks over whole frames of a server, which masks nothing and here says little. */
function closeCodeIn(bytes: Buffer): number | undefined {
  for (let at = 0; at + 2 <= bytes.length;) {
    const opcode = bytes.readUInt8(at) & 15;
    const short = bytes.readUInt8(at + 1);
    if (short === 126 && at + 4 > bytes.length) return undefined;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    const body = at + (short === 126 ? 4 : 2);
    if (opcode === 8 && body + 2 <= bytes.length) return bytes.readUInt16BE(body);
    at = body + length;
  }
  return undefined;
}

/** What a well-behaved client sends. */
export function handshake(): Record<string, string> {
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
}
