import type { Phase } from '@cumulet/common/reconcile/reconciler';
import type { Server } from '../servers/server.entity.js';
import { claimResize, endResize, handOver, sendBack, guestFromImages } from './resize-room.js';
import type { SnapshotPhases } from './snapshot-phases.js';
import {
  serverPhase,
  type ServerPhases,
  type ServerPlans,
  type ServerScope,
} from './server-phases.js';

/**
 * A guest with another flavor. Until the resize is confirmed, its disks are kept as they were, and
 * its host keeps room for the former size. A failed resize restores them.
 *
 * To another host the disks go as images, and the former host keeps its guest: a revert starts it
 * there again.
 */
export function resizePlans(phases: ServerPhases, snapshots: SnapshotPhases): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensurePorts } = phases;
  const { tools } = phases;

  const claimRoom = serverPhase('claimRoom', ({ ctx, row }) => claimResize(tools, ctx, row));
  const forget = async (scope: ServerScope): Promise<void> =>
    tools.hypervisor.disks.forgetKeptDisk(
      await phases.guest(scope.ctx, await phases.current(scope)),
    );
  /** A failed resize may have left a kept disk; a claim says that this one has begun. */
  const forgetOlderDisk = serverPhase('forgetOlderDisk', async (scope) => {
    const resize = await tools.resizes.find(scope.ctx, scope.row.id);
    if (resize?.host === null) await forget(scope);
  });
  const keepDisk = serverPhase('keepDisk', ({ row }) => tools.hypervisor.disks.keepDisk(row.id));
  const growDisk = serverPhase('growDisk', async (scope) =>
    tools.hypervisor.disks.growDisk(await phases.guest(scope.ctx, await phases.current(scope))),
  );
  const ensureGuestAsBefore = serverPhase('ensureGuestAsBefore', async (scope) => {
    const server = await phases.current(scope);
    if (server.returnsTo !== 'stopped')
      await tools.hypervisor.machines.ensureRunning(await phases.guest(scope.ctx, server));
  });
  /** Only a resize on the host has changed disks there. */
  const ifResizedHere = (inner: Phase<Server>): Phase<Server> => ({
    name: inner.name,
    run: async (scope) => {
      const resize = await tools.resizes.find(scope.ctx, scope.row.id);
      return resize?.isFormer === true ? inner.run(scope) : undefined;
    },
  });
  const restoreDisk = serverPhase('restoreDisk', ({ row }) =>
    tools.hypervisor.disks.restoreDisk(row.id),
  );
  const releaseRoom = serverPhase('endResize', ({ ctx, row }) => endResize(tools, ctx, row));
  const sentBack = serverPhase('sendBack', ({ ctx, row }) =>
    sendBack(tools, ctx, row, () => tools.hypervisor.guests.destroy(row.id)),
  );
  const back = [
    sentBack,
    ifResizedHere(ensureGuestOff),
    ifResizedHere(restoreDisk),
    releaseRoom,
    // Once the size is the former: local disks of the new one are unused.
    serverPhase('forgetOtherDisks', forget),
    ensurePorts,
    ensureGuestAsBefore,
  ];
  const ensureCarriedImages = serverPhase('ensureCarriedImages', async ({ ctx, row }) => {
    for (const { made } of row.snapshot?.localDisks ?? [])
      if (made) await phases.ensureImage(ctx, made);
  });
  const ensureDisk = serverPhase('ensureDisk', async ({ ctx, row }) =>
    tools.hypervisor.disks.ensureDisk(guestFromImages(await phases.guest(ctx, row), row.snapshot)),
  );
  const isOff = ({ returnsTo }: Server): boolean => returnsTo === 'stopped';
  /** A guest that went off by itself stays off: its machine ends. */
  const endGuestThatIsOff = serverPhase('endGuestThatIsOff', async ({ row }) => {
    if (row.guestOff) await tools.hypervisor.machines.powerOff(row.id);
  });
  return {
    resizing: {
      phases: [
        forgetOlderDisk,
        claimRoom,
        ensureGuestShutDown,
        ensureGuestOff,
        keepDisk,
        growDisk,
        ensurePorts,
        ensureGuestAsBefore,
      ],
      then: 'resized',
      failure: 'undo-resize',
    },
    migrating: {
      phases: [
        ensureGuestShutDown,
        ensureGuestOff,
        snapshots.ensureImageMade,
        snapshots.ensureDiskCopied,
        snapshots.ensureCopyUploaded,
        snapshots.recordImage,
        snapshots.removeCopy,
        // Moves the row itself, as the next state is another host's.
        serverPhase('handOver', async (scope) =>
          handOver(tools, scope.ctx, await phases.current(scope)),
        ),
      ],
      failure: 'undo-resize',
      release: [snapshots.removeCopy, snapshots.dropImage],
    },
    arriving: {
      phases: [
        phases.ensureImages,
        ensureCarriedImages,
        ensureDisk,
        ensurePorts,
        ensureGuestAsBefore,
      ],
      then: 'resized',
      failure: 'undo-resize',
    },
    'undoing-resize': {
      phases: back,
      then: (row) => (isOff(row) ? 'resize-undone-off' : 'resize-undone'),
    },
    reverting: {
      phases: back,
      then: (row) => (isOff(row) ? 'reverted-off' : 'reverted'),
    },
    confirming: {
      phases: [
        endGuestThatIsOff,
        serverPhase('forgetKeptDisk', forget),
        serverPhase('releaseFormerRoom', ({ ctx, row }) => tools.resizes.end(ctx, row)),
      ],
      then: (row) => (isOff(row) || row.guestOff ? 'confirmed-off' : 'confirmed'),
    },
  };
}
