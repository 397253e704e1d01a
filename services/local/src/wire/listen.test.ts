import { connect } from 'node:http2';

import { listenOnLoopback } from './listen';

test('one port answers HTTP/1.1 and HTTP/2, with bodies', async () => {
  const server = await listenOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end(`${request.httpVersion} ${Buffer.concat(chunks).toString()}`);
    });
  });

  const overHttp1 = await (await fetch(server.url, { method: 'POST', body: 'one' })).text();
  const session = connect(server.url);
  const overHttp2 = await new Promise<string>((resolve, reject) => {
    const stream = session.request({ ':method': 'POST' });
    let body = '';
    stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
    stream.on('end', () => resolve(body));
    stream.on('error', reject);
    stream.end('two');
  });
  session.destroy();
  await server.close();

  expect([overHttp1, overHttp2]).toEqual(['1.1 one', '2.0 two']);
});
