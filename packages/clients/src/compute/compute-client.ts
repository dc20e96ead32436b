/** The compute service, as its sisters use it. Public source: Nova API reference. */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { ServiceClient } from '../http/service-client.js';
import { ServiceUnavailableError } from '../http/service-client-errors.js';

export interface ComputeClientOptions {
  /** The compute service's address, without /v2.1. */
  readonly computeUrl: string;
  readonly credentials: Credentials;
}

export type ServerEventName =
  'network-changed' | 'network-vif-plugged' | 'network-vif-unplugged' | 'network-vif-deleted';

/** What has happened outside of compute to something that a server has. */
export interface ServerEvent {
  readonly serverId: string;
  readonly name: ServerEventName;
  readonly status: 'completed' | 'failed';
  readonly portId: string;
}

interface WireEvents {
  readonly events?: readonly { readonly code: number }[];
}

export class ComputeClient implements OnApplicationShutdown {
  readonly #client: ServiceClient;

  constructor({ computeUrl: baseUrl, credentials }: ComputeClientOptions) {
    this.#client = new ServiceClient({
      service: 'compute',
      baseUrl,
      credentials,
      connections: 2,
    });
  }

  /**
   * Tells compute of events, in their order.
   * @returns what became of each, in the same order: 200 if it was accepted, 404 if there is no such
   *   server, 422 if the server has no host
   * @throws ServiceRefusedError when compute refuses all of them
   * @throws ServiceUnavailableError when compute cannot be reached
   */
  async tell(
    actor: Actor,
    events: readonly ServerEvent[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const { body } = await this.#client.send({
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

  close(): Promise<void> {
    return this.#client.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

function toWire({ serverId, name, status, portId }: ServerEvent): object {
  return { name, server_uuid: serverId, status, tag: portId };
}
