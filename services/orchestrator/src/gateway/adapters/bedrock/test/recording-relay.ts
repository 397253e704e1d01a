import { request as httpRequest } from 'node:http';

import { listenOnLoopback } from '@matsuri/local';
import type { Listening, Request, Response } from '@matsuri/local';

import { writeTo } from './servers';

/** A request as it came over the wire. */
interface RecordedRequest {
  readonly path: string;
  readonly headers: Request['headers'];
  readonly body: unknown;
}

export interface RecordingRelay extends Listening {
  /** What came since the last time, oldest first. */
  take(): RecordedRequest[];
}

/** Passes every request on to another server, in either version of HTTP, and remembers it. */
export async function startRecordingRelay(upstream: string): Promise<RecordingRelay> {
  let recorded: RecordedRequest[] = [];
  const listening = await listenOnLoopback((request, response) => {
    void bodyOf(request).then((body) => {
      const { url: path = '', headers } = request;
      recorded.push({ path, headers, body: JSON.parse(body.toString('utf8')) });
      passOn(upstream, request, body, response);
    });
  });
  return {
    ...listening,
    take() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
  };
}

async function bodyOf(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function passOn(upstream: string, request: Request, body: Buffer, response: Response): void {
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'));
  const onward = httpRequest(
    `${upstream}${request.url ?? ''}`,
    { method: 'POST', headers: Object.fromEntries(headers) },
    (answer) => {
      response.statusCode = answer.statusCode ?? 500;
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
      }
      answer.on('data', (chunk: Buffer) => void writeTo(response, chunk));
      answer.on('end', () => response.end());
    },
  );
  onward.end(body);
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
