/**
 * Sockets that listen in another network namespace. A socket stays where it was made: a short-lived
 * process makes it there and hands it over, so that no process has to stay in each of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { OvnHostError } from '../host/ovn-host.errors.js';

const LIMIT_MS = 20_000;

/**
 * @param namespace its name
 * @returns for each of the ports, what listens there, on all addresses of both versions of IP
 * @throws OvnHostError if it cannot
 */
export async function listenIn(namespace: string, ports: readonly number[]): Promise<Server[]> {
  const program = `(${openSockets.toString()})(${JSON.stringify(ports)})`;
  const args = [`--net=/run/netns/${namespace}`, process.execPath, '-e', program];
  const child = spawn('nsenter', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // This process's environment may hold secrets.
    env: {},
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const servers: Server[] = [];
  child.on('message', (_, handle) => servers.push(handle as Server));
  // What was sent before is read before.
  await Promise.all([once(child, 'disconnect'), once(child, 'exit')]);
  if (servers.length === ports.length) return servers;
  for (const server of servers) server.close();
  throw new OvnHostError(`nothing listens in the network namespace ${namespace}`);
}

/** Runs as a program of its own: it has nothing of this module. */
async function openSockets(ports: readonly number[]): Promise<void> {
  const { createServer } = await import('node:net');
  let left = ports.length;
  for (const port of ports) {
    const server = createServer();
    server.listen(port, '::', () => {
      process.send?.('listening', server, () => {
        left -= 1;
        // It would go on listening beside the other.
        if (left === 0) process.exit(0);
      });
    });
  }
}
