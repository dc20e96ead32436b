/**
 * What a guest wrote to its serial console. Only its own host can read it: from another process the
 * same request is made there, with the caller's own token.
 */
import { Inject, Injectable, Optional, type OnModuleDestroy } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HostRepository } from '../hosts/host.repository.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import { onHypervisor } from './hypervisor-failure.js';
import type { Server } from './server.entity.js';
import { conflictOf } from './server-status.js';
import { HostAwayError } from './server.errors.js';

@Injectable()
export class GuestConsole implements OnModuleDestroy {
  readonly #clients = new Map<string, ServiceClient>();

  constructor(
    private readonly hosts: HostRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly credentials: ActorCredentials,
    // Absent if this process only answers requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {}

  /** @param lines how many of the last lines; all by default */
  async read(ctx: RequestContext, server: Server, lines: number | undefined): Promise<string> {
    const { host, id } = server;
    if (host === null) {
      throw conflictOf('get_console_output', server, []);
    }
    if (this.hypervisor && host === this.config.host) {
      return onHypervisor(this.hypervisor.consoles.consoleOutput(id, lines));
    }
    return this.#readFrom(ctx, id, host, lines);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  async #readFrom(
    ctx: RequestContext,
    id: string,
    name: string,
    lines: number | undefined,
  ): Promise<string> {
    const host = await this.hosts.find(ctx, name);
    if (!host?.apiUrl || host.name === this.config.host) throw new HostAwayError(id);
    const { body } = await this.#client(host.apiUrl).send({
      actor: asCaller(ctx),
      method: 'POST',
      path: `/servers/${id}/action`,
      json: { 'os-getConsoleOutput': { length: lines ?? -1 } },
    });
    return (body as { readonly output: string }).output;
  }

  #client(baseUrl: string): ServiceClient {
    const known = this.#clients.get(baseUrl);
    if (known) return known;
    const client = new ServiceClient({
      service: 'compute',
      baseUrl,
      credentials: this.credentials,
    });
    this.#clients.set(baseUrl, client);
    return client;
  }
}
