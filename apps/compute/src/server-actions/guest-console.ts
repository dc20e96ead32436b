/** Work for the guest's own host: reading its serial console, and interrupting it. */
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HostRelay } from '../hosts/host-relay.js';
import { type HypervisorDriver, HYPERVISOR } from '../hypervisor/hypervisor-driver.js';
import { onHypervisor } from '../servers/server.errors.js';
import type { Server } from '../servers/server.entity.js';
import { conflictOf } from '../servers/server-status.js';

@Injectable()
export class GuestConsole {
  constructor(
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly relay: HostRelay,
    // Absent from processes that only answer requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {}

  /** @param lines number of last lines; all by default */
  async read(ctx: RequestContext, server: Server, lines: number | undefined): Promise<string> {
    const { host, id } = server;
    if (host === null) {
      throw conflictOf('get_console_output', server, []);
    }
    if (this.hypervisor && host === this.config.host) {
      return onHypervisor(this.hypervisor.consoles.consoleOutput(id, lines));
    }
    const answer = await this.relay.ask(
      ctx,
      { id, host },
      {
        method: 'POST',
        path: `/servers/${id}/action`,
        json: { 'os-getConsoleOutput': { length: lines ?? -1 } },
      },
    );
    return (answer as { readonly output: string }).output;
  }

  /** Raises a non-maskable interrupt. */
  async interrupt(ctx: RequestContext, { id, host }: Server): Promise<void> {
    if (this.hypervisor && host === this.config.host) {
      await onHypervisor(this.hypervisor.machines.injectInterrupt(id));
    } else if (host !== null) {
      const path = `/servers/${id}/action`;
      const json = { trigger_crash_dump: null };
      await this.relay.ask(ctx, { id, host }, { method: 'POST', path, json });
    }
  }
}
