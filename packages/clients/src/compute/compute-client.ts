/** The compute service, as its sisters use it. Public source: Nova API reference. */
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';
import { ServiceUnavailableError } from '../http/service-client-errors.js';
import {
  FLAVOR,
  KEYPAIR,
  serverFromWire,
  type Flavor,
  type Keypair,
  type Server,
  type WireServer,
} from './compute-wire.js';

export interface ComputeClientOptions {
  /** Without /v2.1. */
  readonly computeUrl: string;
  readonly credentials: Credentials;
}

export type ServerEventName =
  | 'network-changed'
  | 'network-vif-plugged'
  | 'network-vif-unplugged'
  | 'network-vif-deleted';

/** An event outside of compute that concerns a server. */
export interface ServerEvent {
  readonly serverId: string;
  readonly name: ServerEventName;
  readonly status: 'completed' | 'failed';
  readonly portId: string;
}

interface WireEvents {
  readonly events?: readonly { readonly code: number }[];
}

const PAGE = 1_000;

export class ComputeClient extends SisterClient {
  constructor({ computeUrl: baseUrl, credentials }: ComputeClientOptions) {
    super({
      service: 'compute',
      baseUrl,
      credentials,
      connections: 2,
    });
  }

  /**
   * Reports events to compute, in their order.
   * @returns what became of each, in the same order: 200 if it was accepted, 404 if there is no such
   *   server, 422 if the server has no host
   * @throws ServiceRefusedError when compute refuses all of them
   * @throws ServiceUnavailableError when compute cannot be reached
   */
  async sendEvents(
    actor: Actor,
    events: readonly ServerEvent[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const { body } = await this.client.send({
      actor,
      method: 'POST',
      path: '/v2.1/os-server-external-events',
      json: { events: events.map(toWire) },
      ...(signal ? { signal } : {}),
    });
    const codes = ((body ?? {}) as WireEvents).events?.map(({ code }) => code);
    if (codes?.length === events.length) return codes;
    throw new ServiceUnavailableError('compute', 'an answer without its events');
  }

  /** The flavor with this ID, or else with this name, that the actor may use. */
  async flavor(actor: Actor, idOrName: string): Promise<Flavor | undefined> {
    const path = `/v2.1/flavors/${encodeURIComponent(idOrName)}`;
    const found = await this.client.find({ actor, path });
    if (found) return FLAVOR.read((found.body as { flavor: unknown }).flavor);
    const all = await this.#pages<{ id: string; name: string }>(actor, 'flavors', {});
    const named = all.find(({ name }) => name === idOrName);
    return named && FLAVOR.read(named);
  }

  /** The actor's own key pair. */
  async keypair(actor: Actor, name: string): Promise<Keypair | undefined> {
    const path = `/v2.1/os-keypairs/${encodeURIComponent(name)}`;
    const found = await this.client.find({ actor, path });
    return found && KEYPAIR.read((found.body as { keypair: unknown }).keypair);
  }

  /**
   * Servers that the actor sees.
   * @param filter as in "List Servers": `{ name: '^web-' }`, a regular expression
   */
  async servers(actor: Actor, filter: Readonly<Record<string, string>>): Promise<Server[]> {
    return (await this.#pages<WireServer>(actor, 'servers', filter)).map(serverFromWire);
  }

  /** Undefined if the actor sees none. */
  async server(actor: Actor, id: string): Promise<Server | undefined> {
    const found = await this.client.find({ actor, path: serverPath(id) });
    return found && serverFromWire((found.body as { server: WireServer }).server);
  }

  /** The hypervisor type of each host: `QEMU`, `simulated`. */
  async hypervisorTypes(actor: Actor): Promise<readonly string[]> {
    const path = '/v2.1/os-hypervisors/detail';
    const { body } = await this.client.send({ actor, path });
    const { hypervisors } = body as { hypervisors: readonly { hypervisor_type: string }[] };
    return hypervisors.map(({ hypervisor_type: type }) => type);
  }

  /** Starts the deletion; an absent one is not an error. */
  async deleteServer(actor: Actor, id: string): Promise<void> {
    await this.client.find({ actor, method: 'DELETE', path: serverPath(id) });
  }

  async #pages<Wire extends { readonly id: string }>(
    actor: Actor,
    collection: 'flavors' | 'servers',
    filter: Readonly<Record<string, string>>,
  ): Promise<Wire[]> {
    const path = `/v2.1/${collection}/detail`;
    const found: Wire[] = [];
    for (;;) {
      const query = { ...filter, limit: PAGE, marker: found.at(-1)?.id };
      const { body } = await this.client.send({ actor, path, query });
      const page = (body as Record<string, readonly Wire[]>)[collection] ?? [];
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }
}

function serverPath(id: string): string {
  return `/v2.1/servers/${encodeURIComponent(id)}`;
}

function toWire({ serverId, name, status, portId }: ServerEvent): object {
  return { name, server_uuid: serverId, status, tag: portId };
}
