import { SupersededError } from '@cumulet/common/states/transition';
import { type Phase } from '@cumulet/common/reconcile/reconciler';
import type { Server } from '../servers/server.entity.js';
import { BuildFailedError, GuestImpossibleError } from '../servers/server.errors.js';
import { serverPhase, type ServerPhases } from './server-phases.js';

/** The server has been sent to another host. */
class RescheduledError extends SupersededError {
  constructor(id: string) {
    super('conflict', `Instance ${id} is built on another host.`);
  }
}

/**
 * The phases of a build. Where one fails for the host's reason, and another host may do, what this
 * one has of the guest is removed and the server is placed anew: its ports and its room follow it.
 * Nova does the same, up to three hosts in all (`scheduler.max_attempts`).
 */
export function orOnNextHost(
  { tools }: ServerPhases,
  phases: readonly Phase<Server>[],
): Phase<Server>[] {
  return phases.map((inner) =>
    serverPhase(inner.name, async (scope) => {
      try {
        return await inner.run(scope);
      } catch (error) {
        if (!(error instanceof GuestImpossibleError && error.forOperator)) throw error;
        const { ctx, row } = scope;
        await tools.hypervisor.guests.destroy(row.id);
        if (await tools.placement.tryNextHost(ctx, row, error.message))
          throw new RescheduledError(row.id);
        throw row.triedHosts.length === 0 ? error : new BuildFailedError(error, row.triedHosts);
      }
    }),
  );
}
