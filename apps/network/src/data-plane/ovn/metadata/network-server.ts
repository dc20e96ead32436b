/** One network's metadata on this host: its namespace, what listens there, and whom it knows. */
import type { Server, Socket } from 'node:net';
import { listenIn } from './listeners.js';
import { namespaceFor, type MetadataHost } from './metadata-host.js';
import {
  makeNamespace,
  removeNamespaceOf,
  setAddresses,
  setNeighbours,
} from './metadata-namespace.js';
import type { Guest, ServedNetwork } from './served-networks.js';

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
