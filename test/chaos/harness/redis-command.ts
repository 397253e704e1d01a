import { connect } from 'node:net';

/**
 * One command to Redis, on a connection of its own. Understands replies that are one string, one number or one
 * status, which is all that looking at a server from outside needs.
 */
export function redisCommand(url: string, ...words: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  socket.write(`*${words.length}\r\n${parts.join('')}`);
  return new Promise((resolve, reject) => {
    let reply = '';
    socket.setEncoding('utf8');
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis closed the connection')));
    socket.on('data', (text: string) => {
      reply += text;
      const whole = wholeReply(reply);
      if (whole === undefined) return;
      socket.destroy();
      if (reply.startsWith('-')) reject(new Error(whole));
      else resolve(whole);
    });
  });
}

function wholeReply(reply: string): string | undefined {
  const end = reply.indexOf('\r\n');
  if (end < 0) return undefined;
  const head = reply.slice(1, end);
  if (!reply.startsWith('$')) return head;
  const body = Buffer.from(reply.slice(end + 2));
  const length = Number(head);
  return body.length >= length + 2 ? body.subarray(0, length).toString() : undefined;
}
