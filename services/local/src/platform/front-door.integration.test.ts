import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startFrontDoor } from './front-door';
import type { FrontDoor } from './front-door';
import { shopBackend } from './shop-backend';
import { staticFiles } from './static-files';

const TOKEN = 'mts_of_the_shop';
const TURN = { messageId: 'm1', question: 'q', answer: 'a' };

let chat: Server;
let door: FrontDoor;
let folder: string;
const asked: IncomingMessage[] = [];

/** An orchestrator as far as a door can tell: sessions, tickets, and an upgrade that echoes. */
function startChat(): Server {
  const server = createServer((message, response) => {
    asked.push(message);
    const isTicket = message.url?.endsWith('/tickets') === true;
    if (message.method === 'GET' && message.url === '/v1/sessions/s1') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 's1', turns: [{ ...TURN, secret: TOKEN }] }));
      return;
    }
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ ...(isTicket ? {} : { id: 's1' }), ticket: 't1', secret: TOKEN }),
    );
  });
  server.on('upgrade', (_, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: upgrade\r\n\r\n',
    );
    socket.pipe(socket);
  });
  return server.listen(0, '127.0.0.1');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'matsuri-page-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>page</title>');
  writeFileSync(join(folder, 'assets/a-12345678.js'), 'export {};');
  chat = startChat();
  await once(chat, 'listening');
  door = await startFrontDoor({
    port: 0,
    page: staticFiles(folder),
    status: (_, response) => void response.end('status'),
  });
});

afterAll(async () => {
  await door.close();
  chat.close();
  chat.closeAllConnections();
  rmSync(folder, { recursive: true });
});

function open(): void {
  const chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  const shop = shopBackend({ chatUrl, apiToken: TOKEN, origin: door.url });
  door.open({ chatUrl, apiUrl: chatUrl, shop });
}

const post = (path: string, headers: Record<string, string>) =>
  fetch(`${door.url}${path}`, { method: 'POST', headers });

test('before the platform is up the page is there and the chat is not', async () => {
  expect((await fetch(`${door.url}/v1/models`)).status).toBe(503);
  expect(await (await fetch(door.url)).text()).toContain('page');
  open();
  expect((await fetch(`${door.url}/v1/models`)).status).toBe(201);
});

test('the page may load nothing from elsewhere; what is named by content is kept', async () => {
  const page = await fetch(door.url);
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'self'; base-uri 'none'/,
  );
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const script = await fetch(`${door.url}/assets/a-12345678.js`);
  expect(script.headers.get('cache-control')).toContain('immutable');
  expect(script.headers.get('content-type')).toContain('text/javascript');
});

test.each(['/../package.json', '/assets/../index.html', '/assets/%2e%2e/index.html', '/nothing'])(
  '%s is not there',
  async (path) => {
    const { port } = new URL(door.url);
    const asking = request({ host: '127.0.0.1', port, path }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
  },
);

test('a name that is not ours is not served; localhost is shown the one origin', async () => {
  const { port } = new URL(door.url);
  const status = async (host: string) => {
    const asking = request({ host: '127.0.0.1', port, path: '/', headers: { host } }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    answer.resume();
    return [answer.statusCode, answer.headers.location];
  };
  expect(await status('rebound.example')).toEqual([421, undefined]);
  expect(await status(`localhost:${port}`)).toEqual([302, `${door.url}/`]);
});

test('the shop asserts its customer under its own token, and the page sees neither', async () => {
  open();
  const opened = await post('/shop/chat-sessions', { origin: door.url });
  expect(await opened.json()).toEqual({ id: 's1', ticket: 't1' });
  const cookie = opened.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^shop_customer=[\da-f-]{36}; .*HttpOnly; SameSite=Strict$/);
  const customer = cookie.slice('shop_customer='.length, cookie.indexOf(';'));

  const again = await post('/shop/chat-sessions/s1/tickets', { origin: door.url, cookie });
  expect(await again.json()).toEqual({ ticket: 't1' });
  // A browser names no origin when a page reads from its own.
  const session = await fetch(`${door.url}/shop/chat-sessions/s1`, { headers: { cookie } });
  expect(await session.json()).toEqual({ turns: [TURN] });
  for (const message of asked.slice(-3)) {
    expect(message.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'x-end-user': customer,
    });
  }
});

test('a page of another origin gets no session', async () => {
  open();
  const before = asked.length;
  expect((await post('/shop/chat-sessions', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post('/shop/chat-sessions', {})).status).toBe(403);
  const headers = { origin: 'https://evil.example' };
  expect((await fetch(`${door.url}/shop/chat-sessions/s1`, { headers })).status).toBe(403);
  expect(asked.length).toBe(before);
});

test('an upgrade passes through, and what is said before the end arrives', async () => {
  open();
  const socket = connect(Number(new URL(door.url).port), '127.0.0.1');
  socket.write(
    'GET /v1/sessions/s1/ws HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n',
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toContain('101');
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  socket.end('last words');
  await once(socket, 'close');
  expect(heard).toBe('last words');
});
