import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { SweepEvery } from '@cumulet/common/service/background';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import type { Condition } from '@cumulet/common/tables/condition';
import { Placement } from '../scheduler/placement.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import { serverStates } from '../servers/server.states.js';
import { nudgeUnplaced } from '../servers/server.tasks.js';
import { IS_UP } from './liveness.js';

/** Its former host still has it, and needs nothing of the dead one to go on. */
const HAS_LEFT_ANOTHER: Condition = () =>
  `EXISTS (SELECT FROM server_resizes AS former
            WHERE server_id = servers.id AND is_former AND former.host <> servers.host)`;

async function undoArrival(ctx: RequestContext, { id, generation }: Server): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const reason = 'The host went down.';
    await transition(tx, serverStates, id, 'undo-resize', { only: { generation }, reason });
    await nudgeUnplaced(tx, { id });
  }).catch((error: unknown) => {
    if (!(error instanceof SupersededError)) throw error;
  });
}

/**
 * Goes on with what hosts left undone that are down: their own workers, which alone take the jobs
 * of their servers, are gone. The other states wait for the host, or for an administrator who
 * evacuates it.
 */
@Injectable()
export class DeadHostsSweep {
  constructor(
    private readonly servers: ServerRepository,
    private readonly placement: Placement,
  ) {}

  @SweepEvery(5_000, 'dead-hosts')
  async sweep(ctx: RequestContext): Promise<void> {
    for (const server of await this.#onDeadHosts(ctx, 'deleting')) await nudgeUnplaced(ctx, server);
    for (const server of await this.#onDeadHosts(ctx, 'arriving', HAS_LEFT_ANOTHER))
      await undoArrival(ctx, server);
    for (const state of ['undoing-resize', 'reverting'] as const)
      for (const server of await this.#onDeadHosts(ctx, state, HAS_LEFT_ANOTHER))
        await nudgeUnplaced(ctx, server);
    for (const server of await this.#onDeadHosts(ctx, 'building'))
      await this.placement.tryNextHost(ctx, server, 'The host went down.', { isAway: true });
  }

  #onDeadHosts(
    ctx: RequestContext,
    state: Server['state'],
    ...more: Condition[]
  ): Promise<Server[]> {
    return this.servers.select(ctx, [
      ...more,
      (bind, column) =>
        `${column('state')} = ${bind(state)} AND ${column('host')} IN (SELECT name FROM hosts WHERE NOT ${IS_UP})`,
    ]);
  }
}
