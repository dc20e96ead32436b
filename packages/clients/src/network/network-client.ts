/** The network service, as its sisters use it. Public source: Networking API reference, v2. */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { ServiceClient, type ServiceResponse } from '../http/service-client.js';
import {
  networkFromWire,
  portFromWire,
  toWire,
  type Network,
  type NewPort,
  type Port,
  type PortBinding,
  type WireNetwork,
  type WirePort,
} from './network-wire.js';

export interface NetworkClientOptions {
  /** The network service's address, without /v2.0. */
  readonly networkUrl: string;
  readonly credentials: Credentials;
}

const PORTS = '/v2.0/ports';
/** Ports that one request lists. */
const PAGE = 500;
const OLDEST_FIRST = { sort_key: 'created_at', sort_dir: 'asc' } as const;

export class NetworkClient implements OnApplicationShutdown {
  readonly #client: ServiceClient;

  constructor({ networkUrl: baseUrl, credentials }: NetworkClientOptions) {
    this.#client = new ServiceClient({ service: 'network', baseUrl, credentials });
  }

  /** A network as the actor sees it; undefined if it sees none. */
  async network(actor: Actor, id: string): Promise<Network | undefined> {
    const path = `/v2.0/networks/${encodeURIComponent(id)}`;
    const found = await this.#client.find({ actor, path });
    return found && networkFromWire((found.body as { network: WireNetwork }).network);
  }

  /** A port with its addresses; undefined if the actor sees none. */
  async port(actor: Actor, id: string): Promise<Port | undefined> {
    const found = await this.#client.find({ actor, path: portPath(id) });
    return found && portOf(found);
  }

  /** All ports of a device, such as a server, that the actor sees: the oldest first. */
  async portsOf(actor: Actor, deviceId: string): Promise<Port[]> {
    const found: Port[] = [];
    for (;;) {
      const marker = found.at(-1)?.id;
      const query = { device_id: deviceId, limit: PAGE, marker, ...OLDEST_FIRST };
      const { body } = await this.#client.send({ actor, path: PORTS, query });
      const { ports } = body as { ports: readonly WirePort[] };
      found.push(...ports.map(portFromWire));
      if (ports.length < PAGE) return found;
    }
  }

  /**
   * Creates a port, once for each key: the same key again gets the same port.
   * @param idempotencyKey follows from the row that needs the port, as in `CreateRequest`
   * @throws ServiceRefusedError when the network, the address or the quota does not allow it
   */
  async createPort(actor: Actor, port: NewPort, idempotencyKey: string): Promise<Port> {
    const json = { port: toWire(port) };
    return portOf(await this.#client.create({ actor, path: PORTS, json, idempotencyKey }));
  }

  /**
   * Says what it is plugged into, and on which host. The port comes up once the host has it.
   * @throws ServiceRefusedError if there is no such port, or another device has it
   */
  async bindPort(actor: Actor, id: string, binding: PortBinding): Promise<Port> {
    const json = { port: toWire(binding) };
    return portOf(await this.#client.send({ actor, method: 'PUT', path: portPath(id), json }));
  }

  /** Takes it out of its device and host; it keeps its addresses. One that is gone is no error. */
  async freePort(actor: Actor, id: string): Promise<void> {
    const json = { port: toWire({ deviceId: '', deviceOwner: '', hostId: '' }) };
    await this.#client.find({ actor, method: 'PUT', path: portPath(id), json });
  }

  /** One that is gone already is no error. */
  async deletePort(actor: Actor, id: string): Promise<void> {
    await this.#client.find({ actor, method: 'DELETE', path: portPath(id) });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

function portPath(id: string): string {
  return `${PORTS}/${encodeURIComponent(id)}`;
}

function portOf({ body }: ServiceResponse): Port {
  return portFromWire((body as { port: WirePort }).port);
}
