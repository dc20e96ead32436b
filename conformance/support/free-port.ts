import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system gives to connections by itself: it would hand one out again. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port on which nobody listens, for a process that is to be told which one to take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
