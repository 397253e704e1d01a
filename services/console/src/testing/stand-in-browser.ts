import type { ServerFrame } from '@matsuri/contract';

/** A socket that does what the test says. */
export class Socket {
  static readonly OPEN = 1;
  static readonly all: Socket[] = [];
  readonly said: unknown[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  static get living(): Socket[] {
    return Socket.all.filter(({ readyState }) => readyState < 2);
  }

  static get newest(): Socket {
    const socket = Socket.all.at(-1);
    if (socket === undefined) throw new Error('nothing was connected to');
    return socket;
  }

  open(): void {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }

  hear(frame: Partial<ServerFrame>): void {
    this.onmessage?.({ data: JSON.stringify({ id: '1:0', ...frame }) });
  }

  break(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(text: string): void {
    this.said.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }
}

/** The window and the document, in one. */
export type StandInPage = EventTarget & { visibilityState: 'visible' | 'hidden' };

/** As much of a browser as the shell of the page asks for, new for each test. */
export function standInBrowser(): StandInPage {
  const page: StandInPage = Object.assign(new EventTarget(), {
    visibilityState: 'visible' as const,
  });
  Object.assign(globalThis, {
    WebSocket: Socket,
    window: globalThis,
    document: page,
    location: { href: 'http://shop.example/' },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    sessionStorage: storage(),
    localStorage: storage(),
  });
  Socket.all.length = 0;
  return page;
}

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
