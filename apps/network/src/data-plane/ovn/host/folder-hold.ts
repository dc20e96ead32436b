/**
 * One process at a time runs a host's switch, enforced by the kernel: it listens at an abstract
 * socket of the machine's network namespace, which ends with the process however that dies. Public
 * source: unix(7), "Abstract sockets".
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { namespaceOf } from './host-settings.js';
import { OvnHostError } from './ovn-host.errors.js';

export interface FolderHold {
  release(): void;
}

const POLL_MS = 50;

/**
 * @param folder its real path
 * @param withinMs how long to wait for a process that is about to end
 * @throws OvnHostError if another process runs the switch
 */
export async function holdFolder(folder: string, withinMs: number): Promise<FolderHold> {
  const end = performance.now() + withinMs;
  for (;;) {
    const server = createServer((socket) => socket.destroy()).unref();
    server.listen(`\0${namespaceOf(folder)}`);
    try {
      await once(server, 'listening');
      return { release: () => server.close() };
    } catch (error) {
      if (performance.now() > end)
        throw new OvnHostError(`another process runs the switch of ${folder}`, { cause: error });
    }
    await delay(POLL_MS);
  }
}
