import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/**
 * Runs `work` while no other process on this machine runs work under the same name. The lock is a bound
 * socket in Linux's abstract namespace: the kernel frees it when its holder ends, however it ends, so
 * there is no stale lock to judge; and those who wait are woken by their connection closing.
 */
export async function withMachineLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const release = await acquire(`\0${name}`);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(address: string): Promise<() => void> {
  for (;;) {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => {
      waiting.add(socket);
      socket.on('error', () => socket.destroy());
    });
    if (await bind(server, address)) {
      return () => {
        server.close();
        for (const socket of waiting) socket.destroy();
      };
    }
    await holderGone(address);
  }
}

function bind(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(address, () => resolve(true));
  });
}

function holderGone(address: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => resolve());
  });
}
