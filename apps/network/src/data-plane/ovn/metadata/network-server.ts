/** The metadata of one network on this host: its namespace, its servers and its guests. */
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

/** The guest that asks, and the address that it asks from. */
export interface Requester extends Guest {
  readonly address: string;
}

/** A service at a port of the metadata address. */
export interface GuestService {
  readonly port: number;
  /** The socket is destroyed with its network, even after it was accepted. */
  accept(socket: Socket, from: Requester): void;
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

  /** If it fails, the caller has to close it. @throws OvnHostError */
  async open(): Promise<void> {
    const { networkId } = this.#network;
    await makeNamespace(this.host, networkId);
    await this.update(this.#network);
    const ports = this.services.map(({ port }) => port);
    this.#listeners = await listenIn(namespaceFor(this.host, networkId), ports);
    for (const [at, listener] of this.#listeners.entries()) {
      // A client that has sent its request still reads the answer.
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

  /** Serves no more, and leaves the namespace. */
  detach(): void {
    for (const listener of this.#listeners) listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** @throws OvnHostError */
  async close(): Promise<void> {
    // A namespace exists for as long as it has a socket.
    this.detach();
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

/** IPv4 addresses arrive as IPv6, and link-local ones with their link. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=[\d.]+$)/, '').replace(/%.*$/, '');
}

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

// Opens sockets in another network namespace. A socket stays in the namespace where it was created,
// so a short-lived process creates it there and hands it over.

const LIMIT_MS = 20_000;

/**
 * @param namespace its name
 * @returns a server for each of the ports, on all IPv4 and IPv6 addresses
 * @throws OvnHostError if it fails
 */
async function listenIn(namespace: string, ports: readonly number[]): Promise<Server[]> {
  const program = `(${openSockets.toString()})(${JSON.stringify(ports)})`;
  const args = [`--net=/run/netns/${namespace}`, process.execPath, '-e', program];
  const child = spawn('nsenter', args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // This process's environment may contain secrets.
    env: {},
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const servers: Server[] = [];
  child.on('message', (_, handle) => servers.push(handle as Server));
  // Handles sent earlier are received before these events.
  await Promise.all([once(child, 'disconnect'), once(child, 'exit')]);
  if (servers.length === ports.length) return servers;
  for (const server of servers) server.close();
  throw new OvnHostError(`nothing listens in the network namespace ${namespace}`);
}

/** Runs as a program of its own, so it cannot use anything of this module. */
async function openSockets(ports: readonly number[]): Promise<void> {
  const { createServer } = await import('node:net');
  let left = ports.length;
  for (const port of ports) {
    const server = createServer();
    server.listen(port, '::', () => {
      process.send?.('listening', server, () => {
        left -= 1;
        // Otherwise it would keep listening beside this process.
        if (left === 0) process.exit(0);
      });
    });
  }
}

/** Limits the connections that are open at the same time, by owner. */
export class ConnectionSlots {
  readonly #open = new Map<string, number>();

  /** @param limit for each owner */
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
