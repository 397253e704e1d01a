/** The least a proxy on Node can be: bytes in, bytes out, connections kept. Its port and its upstream are its arguments. */
import { Agent, createServer, request } from 'node:http';

const [port, upstreamPort] = process.argv.slice(2).map(Number);

const agent = new Agent({ keepAlive: true });

createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const onward = request(
    { host: '127.0.0.1', port: upstreamPort, agent, method, path: url, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}).listen(port, '127.0.0.1');
