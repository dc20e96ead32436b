/** Places a server on a host: reads free resources and claims them in one transaction. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Feature } from '@cumulet/common/service/feature';
import type { ComputeConfig } from '../config.js';
import { HostRepository } from '../hosts/host.repository.js';
import { leaveGuestBehind } from '../server-migrations/leftover-guests.js';
import type { Server } from '../servers/server.entity.js';
import { NoValidHostError } from '../servers/server.errors.js';
import { serverStates } from '../servers/server.states.js';
import { nudgeServer, nudgeUnplaced } from '../servers/server.tasks.js';
import { candidateOf, type Ratios } from './candidate.js';
import { chooseHost } from './choose-host.js';
import { type HostRequest, hostRequestOf } from './host-request.js';
import { RequestedDestination } from './destination.js';

@Injectable()
export class Placement {
  readonly #ratios: Ratios;

  constructor(
    private readonly hosts: HostRepository,
    @Inject(CONFIG) config: ComputeConfig,
  ) {
    this.#ratios = {
      cpuRatio: config.cpuRatio,
      ramRatio: config.ramRatio,
      diskRatio: config.diskRatio,
      reservedMemoryMb: config.reservedMemoryMb,
    };
  }

  /** @throws NoValidHostError saying how many hosts each filter refused */
  async place(ctx: RequestContext, server: Server): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const host = await this.choose(tx, server);
      const event = server.state === 'scheduling' ? 'place' : 'place-again';
      await transition(tx, serverStates, server.id, event, { set: { host } });
      await nudgeServer(tx, { id: server.id, host });
    });
  }

  /**
   * Hosts stay locked until the transaction ends, which claims the chosen one.
   * @param over the request, where it differs from the server's creation
   * @throws NoValidHostError
   */
  async choose(
    tx: RequestContext,
    server: Server,
    over: Partial<HostRequest> = {},
  ): Promise<string> {
    const hosts = await this.hosts.lockAll(tx);
    const request = await hostRequestOf(tx, server, over);
    const choice = chooseHost(
      hosts.map((host) => candidateOf(host, this.#ratios)),
      request,
    );
    if ('host' in choice) return choice.host;
    throw new NoValidHostError(choice.refusal, server.triedHosts);
  }

  /** A host that is down cannot do its part. */
  isUp(ctx: RequestContext, host: string): Promise<boolean> {
    return this.hosts.isUp(ctx, host);
  }

  /**
   * Sends a server that its host cannot build to another. Leftovers on the host are gone, or
   * recorded where it is down.
   * @returns false without an untried host, or if the server was moved meanwhile
   */
  async tryNextHost(
    ctx: RequestContext,
    { id, host, generation, triedHosts, scheduling }: Server,
    reason: string,
    { isAway = false }: { readonly isAway?: boolean } = {},
  ): Promise<boolean> {
    if (host === null || triedHosts.length + 1 >= MAX_HOSTS || scheduling.host !== undefined)
      return false;
    const tried = [...triedHosts, { host, reason }];
    const names = tried.map((one) => one.host);
    if (!(await this.hosts.hasUsable(ctx, names))) return false;
    try {
      await inTransaction(ctx, async (tx) => {
        const set = { triedHosts: tried };
        await transition(tx, serverStates, id, 'reschedule', { only: { generation }, set });
        if (isAway) await leaveGuestBehind(tx, host, id);
        await nudgeUnplaced(tx, { id });
      });
      return true;
    } catch (error) {
      if (error instanceof SupersededError) return false;
      throw error;
    }
  }
}

/** The number of hosts on which a server is tried. */
const MAX_HOSTS = 3;

@Feature({
  providers: [Placement, RequestedDestination],
})
export class SchedulerModule {}
