import { SupersededError } from '@cumulet/common/states/transition';
import type { Phase } from '@cumulet/common/reconcile/reconciler';
import type { Server } from '../servers/server.entity.js';
import { BuildFailedError, GuestImpossibleError } from '../servers/server.errors.js';
import type { SnapshotPhases } from './snapshot-phases.js';
import { type ServerPhases, type ServerPlans, serverPhase } from './server-phases.js';

/** A server's beginning and end. */
export function lifePlans(phases: ServerPhases, { dropImage }: SnapshotPhases): ServerPlans {
  const { ensureGuestGone } = phases;
  return {
    // The phase moves the row itself, as claiming the host leaves the state.
    scheduling: { phases: [phases.choosePlace], release: [phases.releasePorts] },
    building: {
      phases: orOnNextHost(phases, [
        phases.ensurePorts,
        phases.ensureImages,
        phases.ensureDisk,
        phases.ensureGuestRunning,
        phases.recordLaunch,
      ]),
      then: 'built',
      release: [ensureGuestGone, phases.releasePorts, phases.releaseRoom],
    },
    deleting: {
      phases: [
        ensureGuestGone,
        phases.awaitAttaching,
        phases.releasePorts,
        dropImage,
        phases.removeRow,
      ],
    },
  };
}

/** The server has been sent to another host. */
class RescheduledError extends SupersededError {
  constructor(id: string) {
    super('conflict', `Instance ${id} is built on another host.`);
  }
}

/**
 * Phases of a build. If one fails because of the host, and another host may succeed, the guest is
 * removed and the server placed anew, with its ports. As Nova, up to three hosts in all
 * (`scheduler.max_attempts`).
 */
function orOnNextHost({ tools }: ServerPhases, phases: readonly Phase<Server>[]): Phase<Server>[] {
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

/** Start and end of a guest's machine; its disk is unchanged. */
export function powerPlans(phases: ServerPhases): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensurePorts, ensureGuestRunning } = phases;
  return {
    stopping: { phases: [ensureGuestShutDown, ensureGuestOff], then: 'stopped' },
    starting: { phases: [ensurePorts, ensureGuestRunning], then: 'started' },
    rebooting: {
      phases: [ensureGuestShutDown, ensureGuestOff, ensurePorts, ensureGuestRunning],
      then: 'rebooted',
    },
    'hard-rebooting': {
      phases: [ensureGuestOff, ensurePorts, ensureGuestRunning],
      then: 'rebooted',
    },
  };
}

/** Pause and resume; a guest that cannot be paused runs on. */
export function pausePlans(phases: ServerPhases): ServerPlans {
  const { ensureGuestRunning } = phases;
  return {
    pausing: {
      phases: [phases.ensureGuestPaused],
      then: 'paused',
      failure: 'not-paused',
      release: [ensureGuestRunning],
    },
    unpausing: { phases: [ensureGuestRunning], then: 'unpaused' },
    suspending: {
      phases: [phases.ensureGuestSuspended],
      then: 'suspended',
      failure: 'not-suspended',
      release: [ensureGuestRunning],
    },
    resuming: { phases: [ensureGuestRunning], then: 'resumed' },
  };
}
