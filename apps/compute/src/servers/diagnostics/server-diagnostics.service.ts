/** What a server's machine has used. Only its own host can tell. */
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../../config.js';
import { HostRelay } from '../../hosts/host-relay.js';
import { type HypervisorDriver, HYPERVISOR } from '../../hypervisor/hypervisor-driver.js';
import { versionOf } from '../../versions/microversions.js';
import { onHypervisor } from '../hypervisor-failure.js';
import type { Server } from '../server.entity.js';
import { conflictOf } from '../server-status.js';
import { diagnosticsView, flatDiagnosticsView } from './server-diagnostics.view.js';

@Injectable()
export class ServerDiagnosticsService {
  constructor(
    @Inject(CONFIG) private readonly config: ComputeConfig,
    private readonly relay: HostRelay,
    // Absent if this process only answers requests.
    @Optional() @Inject(HYPERVISOR) private readonly hypervisor?: HypervisorDriver,
  ) {}

  /**
   * @returns the body of the answer
   * @throws ServerStateConflictError where the guest does not run
   */
  async read(ctx: RequestContext, server: Server): Promise<object> {
    const { id, host, state } = server;
    if (state !== 'active' || host === null)
      throw conflictOf('get_diagnostics', server, ['active']);
    if (this.hypervisor && host === this.config.host) {
      const { machines, host: here } = this.hypervisor;
      const figures = await onHypervisor(machines.diagnostics(id));
      return versionOf(ctx).atLeast(48)
        ? diagnosticsView(server, figures, await here.describe())
        : flatDiagnosticsView(server, figures);
    }
    const path = `/servers/${id}/diagnostics`;
    return (await this.relay.ask(ctx, { id, host }, { method: 'GET', path })) as object;
  }
}
