import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SweepEvery } from '@cumulet/common/service/background';
import { Placement } from '../scheduler/placement.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import { nudgeUnplaced } from '../servers/server.tasks.js';
import { IS_UP } from './liveness.js';

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
    for (const server of await this.#onDeadHosts(ctx, 'building'))
      await this.placement.tryNextHost(ctx, server, 'The host went down.', { isAway: true });
  }

  #onDeadHosts(ctx: RequestContext, state: Server['state']): Promise<Server[]> {
    return this.servers.select(ctx, [
      (bind, column) =>
        `${column('state')} = ${bind(state)} AND ${column('host')} IN (SELECT name FROM hosts WHERE NOT ${IS_UP})`,
    ]);
  }
}
