import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, which the system could assign again. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port on which nobody listens, for a process that must be told its port. */
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
