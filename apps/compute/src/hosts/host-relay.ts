/** Repeats a request, with the caller's token, at the server's host, which alone can answer it. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { versionOf } from '../versions/microversions.js';
import { HostAwayError } from './host.errors.js';
import { HostRepository } from './host.repository.js';

@Injectable()
export class HostRelay implements OnModuleDestroy {
  readonly #clients = new Map<string, ServiceClient>();

  constructor(
    private readonly hosts: HostRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly credentials: ActorCredentials,
  ) {}

  /** @returns the answer's body. @throws HostAwayError if the host has no address */
  async ask(
    ctx: RequestContext,
    server: { readonly id: string; readonly host: string },
    request: Pick<ServiceRequest, 'method' | 'path' | 'json'>,
  ): Promise<unknown> {
    const host = await this.hosts.find(ctx, server.host);
    if (!host?.apiUrl || host.name === this.config.host) throw new HostAwayError(server.id);
    const { body } = await this.#client(host.apiUrl).send({
      ...request,
      actor: asCaller(ctx),
      headers: { 'OpenStack-API-Version': `compute ${versionOf(ctx).toString()}` },
    });
    return body;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  #client(baseUrl: string): ServiceClient {
    const known = this.#clients.get(baseUrl);
    if (known) return known;
    const { credentials } = this;
    const client = new ServiceClient({ service: 'compute', baseUrl, credentials });
    this.#clients.set(baseUrl, client);
    return client;
  }
}
