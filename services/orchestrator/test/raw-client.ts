import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** A plain HTTP exchange, for what no well-behaved client does. */
export interface RawReply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface RawStream {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

export function chatBody(more: object = {}): object {
  return {
    model: 'simple',
    messages: [{ role: 'user', content: 'Is volume 12 in stock?' }],
    ...more,
  };
}

/** Sends a body and returns when the head of the answer is there. */
export async function openRaw(
  url: string,
  key: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<RawStream> {
  const sent = request(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => undefined);
  return { request: sent, response };
}

export async function postRaw(...parameters: Parameters<typeof openRaw>): Promise<RawReply> {
  const { response } = await openRaw(...parameters);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await textOf(response),
  };
}

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += chunk as string;
  return text;
}

/** Reads until the text so far satisfies. */
export async function readUntil(
  response: IncomingMessage,
  satisfied: (text: string) => boolean,
): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const onData = (chunk: string): void => {
      text += chunk;
      if (!satisfied(text)) return;
      response.off('data', onData);
      resolve(text);
    };
    response.on('data', onData);
    response.once('close', () => reject(new Error(`it ended with: ${text}`)));
  });
}
