import { createServer } from 'node:net';

/** Below the ephemeral ports, which the system could assign again. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** A port on which nobody listens, for a process that must be told its port. */
export async function freePort(): Promise<number> {
  let port: number;
  do port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
  while (!(await isFree(port)));
  return port;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
