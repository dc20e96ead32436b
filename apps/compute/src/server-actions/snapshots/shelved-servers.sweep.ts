/** Frees the hosts of servers that have been shelved for a while. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import { equals } from '@cumulet/common/tables/condition';
import type { ComputeConfig } from '../../config.js';
import { recordAction } from '../../servers/instance-actions/record-action.js';
import { ServerRepository } from '../../servers/server.repository.js';
import { serverStates } from '../../servers/server.states.js';
import { nudgeServer } from '../../servers/server.tasks.js';

const MAX_ROWS = 100;

@Injectable()
export class ShelvedServersSweep {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @SweepEvery(30_000, 'shelved-servers')
  async run(ctx: RequestContext): Promise<void> {
    const seconds = this.config.shelvedOffloadSeconds;
    if (seconds < 0) return;
    const since = new Date(Date.now() - seconds * 1_000);
    const rows = await this.servers.select(
      ctx,
      [equals('state', 'shelved'), (bind) => `state_since <= ${bind(since)}`],
      `ORDER BY state_since LIMIT ${MAX_ROWS}`,
    );
    for (const server of rows) {
      const { id, generation } = server;
      await inTransaction(ctx, async (tx) => {
        await transition(tx, serverStates, id, 'shelve-offload', { only: { generation } });
        await recordAction(tx, [id], 'shelveOffload');
        await nudgeServer(tx, server);
      }).catch((error: unknown) => {
        // It was unshelved or deleted meanwhile.
        if (!(error instanceof SupersededError)) throw error;
      });
    }
  }
}
