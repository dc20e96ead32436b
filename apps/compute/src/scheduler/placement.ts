/** Places a server on a host: reads the free resources and claims them, in one transaction. */
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
import { RequestedDestination } from './requested-destination.js';

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

  /** @throws NoValidHostError saying which filter refused how many hosts */
  async place(ctx: RequestContext, server: Server): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const host = await this.choose(tx, server);
      const event = server.state === 'scheduling' ? 'place' : 'place-again';
      await transition(tx, serverStates, server.id, event, { set: { host } });
      await nudgeServer(tx, { id: server.id, host });
    });
  }

  /**
   * The host for a server. Hosts stay locked until the transaction ends, which goes on to claim it.
   * @param over what is asked for in place of what the server was created with
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

  /** Whether a host is heard of: one that is down cannot do what it would have to. */
  isUp(ctx: RequestContext, host: string): Promise<boolean> {
    return this.hosts.isUp(ctx, host);
  }

  /**
   * Sends a server that its host cannot build to another one. What the host has of it is gone
   * already, or is left behind where it is away.
   * @returns whether there is one that has not been tried, and the server has not been moved since
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

/** On how many hosts a server is tried, all in all. */
const MAX_HOSTS = 3;

@Feature({
  providers: [Placement, RequestedDestination],
})
export class SchedulerModule {}
