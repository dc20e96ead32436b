/** TCP ports of the loopback address. A free port can be taken by another process at any time. */
import { createServer } from 'node:net';
import { once } from 'node:events';

export const LOOPBACK = '127.0.0.1';

/** @returns a port that nobody listens on */
export async function findFreePort(): Promise<number> {
  const port = await tryListening(0);
  if (port === undefined) throw new Error(`no free port on ${LOOPBACK}`);
  return port;
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await tryListening(port)) !== undefined;
}

async function tryListening(port: number): Promise<number | undefined> {
  const server = createServer();
  server.listen({ host: LOOPBACK, port });
  try {
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : undefined;
}
