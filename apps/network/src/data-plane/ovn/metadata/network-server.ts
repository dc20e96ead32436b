/** One network's metadata on this host: its namespace, what listens there, and whom it knows. */
import type { Server, Socket } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  namespaceFor,
  makeNamespace,
  removeNamespaceOf,
  setAddresses,
  setNeighbours,
} from './metadata-namespace.js';
import type { MetadataHost } from './metadata-namespace.js';
import type { Guest, ServedNetwork } from './served-networks.js';
import { OvnHostError } from '../host/ovn-host.errors.js';

/** Who asks, and from which of its addresses. */
export interface Asker extends Guest {
  readonly address: string;
}

/** What a guest finds at a port of the metadata address. */
export interface GuestService {
  readonly port: number;
  /** The connection is destroyed with its network, wherever it has gone by then. */
  accept(socket: Socket, from: Asker): void;
}

const NOBODY: ServedNetwork['guests'] = new Map();

export class NetworkServer {
  #network: ServedNetwork;
  #known: ServedNetwork['guests'] = NOBODY;
  #addressed = '';
  #listeners: Server[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly host: MetadataHost,
    network: ServedNetwork,
    private readonly services: readonly GuestService[],
  ) {
    this.#network = network;
  }

  get portId(): string {
    return this.#network.portId;
  }

  /** Whether `update` has nothing to do. */
  isAsOf(network: ServedNetwork): boolean {
    return this.#addressed === outsideOf(network) && sameGuests(this.#known, network.guests);
  }

  /** Makes all of it; whoever fails here closes it. @throws OvnHostError */
  async open(): Promise<void> {
    const { networkId } = this.#network;
    await makeNamespace(this.host, networkId);
    await this.update(this.#network);
    const ports = this.services.map(({ port }) => port);
    this.#listeners = await listenIn(namespaceFor(this.host, networkId), ports);
    for (const [at, listener] of this.#listeners.entries()) {
      // One that has said all that it asks still reads the answer.
      Object.assign(listener, { allowHalfOpen: true });
      listener.on('connection', (socket) => this.#accept(socket, this.services[at]));
    }
  }

  /** @throws OvnHostError */
  async update(network: ServedNetwork): Promise<void> {
    this.#network = network;
    if (this.#addressed !== outsideOf(network)) {
      this.#addressed = '';
      this.#known = NOBODY;
      await setAddresses(this.host, network);
      this.#addressed = outsideOf(network);
    }
    await setNeighbours(this.host, network, this.#known);
    this.#known = network.guests;
  }

  /** @throws OvnHostError */
  async close(): Promise<void> {
    for (const listener of this.#listeners) listener.close();
    // A namespace stays for as long as it has a socket.
    for (const socket of this.#sockets) socket.destroy();
    await removeNamespaceOf(this.host, this.#network.networkId);
  }

  #accept(socket: Socket, service: GuestService | undefined): void {
    const address = addressOf(socket);
    const guest = this.#network.guests.get(address);
    socket.on('error', () => socket.destroy());
    if (!guest || !service) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    service.accept(socket, { ...guest, address });
  }
}

/** IPv4 comes as IPv6, and a link's own address with the link. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*$/, '');
}

/** All of it but its guests. */
function outsideOf({ guests: _, ...mark }: ServedNetwork): string {
  return JSON.stringify(mark);
}

function sameGuests(one: ServedNetwork['guests'], other: ServedNetwork['guests']): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([address, guest]) => {
    const now = other.get(address);
    return now !== undefined && JSON.stringify(now) === JSON.stringify(guest);
  });
}

// Sockets that listen in another network namespace. A socket stays where it was made: a short-lived
// process makes it there and hands it over, so that no process has to stay in each of them.

const LIMIT_MS = 20_000;

/**
 * @param namespace its name
 * @returns for each of the ports, what listens there, on all addresses of both versions of IP
 * @throws OvnHostError if it cannot
 */
async function listenIn(namespace: string, ports: readonly number[]): Promise<Server[]> {
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

/** Connections that are open at the same time, by whom they are of. */
export class ConnectionSlots {
  readonly #open = new Map<string, number>();

  /** @param limit of each */
  constructor(private readonly limit: number) {}

  /** Counts the connection until it is closed. @returns false for one too many, which is closed */
  take(of: string, socket: Socket): boolean {
    const open = this.#open.get(of) ?? 0;
    if (open >= this.limit) {
      socket.destroy();
      return false;
    }
    this.#open.set(of, open + 1);
    socket.once('close', () => this.#give(of));
    return true;
  }

  #give(of: string): void {
    const open = (this.#open.get(of) ?? 1) - 1;
    if (open > 0) this.#open.set(of, open);
    else this.#open.delete(of);
  }
}
