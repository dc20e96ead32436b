/** Places a server on a host: reads the free resources and claims them, in one transaction. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { transition } from '@cumulet/common/states/transition';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Feature } from '@cumulet/common/service/feature';
import type { ComputeConfig } from '../config.js';
import { HostRepository } from '../hosts/host.repository.js';
import type { Server } from '../servers/server.entity.js';
import { NoValidHostError } from '../servers/server.errors.js';
import { serverStates } from '../servers/server.states.js';
import { nudgeServer } from '../servers/server.tasks.js';
import { chooseHost } from './choose-host.js';

@Injectable()
export class Placement {
  constructor(
    private readonly hosts: HostRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  /** @throws NoValidHostError saying which filter refused how many hosts */
  async place(ctx: RequestContext, server: Server): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const candidates = await this.hosts.lockCandidates(tx, this.config);
      const choice = chooseHost(candidates, server);
      if ('refusal' in choice) throw new NoValidHostError(choice.refusal);
      await transition(tx, serverStates, server.id, 'place', { set: { host: choice.host } });
      await nudgeServer(tx, { id: server.id, host: choice.host });
    });
  }
}

@Feature({
  providers: [Placement],
})
export class SchedulerModule {}
