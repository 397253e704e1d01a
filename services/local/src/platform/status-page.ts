import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';

import type { Address } from './addresses';

interface PartStatus extends Address {
  readonly answers: boolean;
}

const PATIENCE_MS = 1_000;

/** A page that shows, live, which parts of the platform answer. */
export function statusPage(parts: () => readonly Address[]) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url !== '/status.json') {
      send(response, 'text/html; charset=utf-8', PAGE);
      return;
    }
    void statusOf(parts()).then((status) =>
      send(response, 'application/json', JSON.stringify(status)),
    );
  };
}

function send(response: ServerResponse, contentType: string, body: string): void {
  response.setHeader('content-type', contentType);
  response.end(body);
}

function statusOf(parts: readonly Address[]): Promise<PartStatus[]> {
  return Promise.all(
    parts.map(async (part) => ({
      ...part,
      url: withoutPassword(part.url),
      answers: await answers(part.url),
    })),
  );
}

/** Whether somebody takes a connection there. */
function answers(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return Promise.resolve(false);
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: PATIENCE_MS });
    const conclude = (answered: boolean) => () => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', conclude(true));
    socket.once('timeout', conclude(false));
    socket.once('error', conclude(false));
  });
}

function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = '…';
  return decodeURI(parsed.href);
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Matsuri on this machine</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid #8884 }
  td:first-child { white-space: nowrap; font-weight: 600 }
  code { font-size: .85em; overflow-wrap: anywhere }
  .up::before { content: '● '; color: #2a8 } .down::before { content: '● '; color: #c33 }
</style>
<h1>Matsuri on this machine</h1>
<p>Real engines, and AWS stand-ins that speak the real protocols to unmodified SDK clients.</p>
<table><thead><tr><th>Part<th>Address<th>Speaks</tr></thead><tbody></tbody></table>
<p role="status"></p>
<script>
  const body = document.querySelector('tbody'), line = document.querySelector('[role=status]');
  async function look() {
    try {
      const parts = await (await fetch('/status.json')).json();
      body.replaceChildren(...parts.map((part) => {
        const row = document.createElement('tr');
        for (const text of [part.part, part.url, part.speaks]) row.insertCell().textContent = text;
        row.cells[0].className = part.answers ? 'up' : 'down';
        return row;
      }));
      line.textContent = parts.filter((part) => part.answers).length + ' of ' + parts.length + ' parts answer.';
    } catch { line.textContent = 'The platform has ended. Start it again with npm start.'; }
    setTimeout(look, 2000);
  }
  look();
</script>
</html>
`;
