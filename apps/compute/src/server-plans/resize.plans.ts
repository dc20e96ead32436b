import type { Phase } from '@cumulet/common/reconcile/reconciler';
import type { Server } from '../servers/server.entity.js';
import { claimResize, giveResizeBack, handOver, sendBack, arrivedGuest } from './resize-room.js';
import type { SnapshotPhases } from './snapshot-phases.js';
import {
  serverPhase,
  type ServerPhases,
  type ServerPlans,
  type ServerScope,
} from './server-phases.js';

/**
 * A guest with another flavor. Its disk is kept as it was until the resize is confirmed, and so is
 * its host's room for what it was. What cannot be resized is what it was again.
 *
 * To another host it goes as images of its disks, and its former host keeps what it has until that is
 * confirmed: to go back, it is started there again.
 */
export function resizePlans(phases: ServerPhases, snapshots: SnapshotPhases): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensurePorts } = phases;
  const { tools } = phases;

  const claimRoom = serverPhase('claimRoom', ({ ctx, row }) => claimResize(tools, ctx, row));
  const forget = async (scope: ServerScope): Promise<void> =>
    tools.hypervisor.disks.forgetKeptDisk(
      await phases.guest(scope.ctx, await phases.current(scope)),
    );
  /** One that failed may have left a disk: this one's is as it is now. A claim says that it has begun. */
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
  /** Only what was resized on its host has been changed there. */
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
  const giveRoomBack = serverPhase('giveResizeBack', ({ ctx, row }) =>
    giveResizeBack(tools, ctx, row),
  );
  const sentBack = serverPhase('sendBack', ({ ctx, row }) =>
    sendBack(tools, ctx, row, () => tools.hypervisor.guests.destroy(row.id)),
  );
  const back = [
    sentBack,
    ifResizedHere(ensureGuestOff),
    ifResizedHere(restoreDisk),
    giveRoomBack,
    // Once it is what it was: the local disks that it had in between are nobody's.
    serverPhase('forgetOtherDisks', forget),
    ensurePorts,
    ensureGuestAsBefore,
  ];
  const ensureCarriedImages = serverPhase('ensureCarriedImages', async ({ ctx, row }) => {
    for (const { made } of row.snapshot?.localDisks ?? [])
      if (made) await phases.ensureImage(ctx, made);
  });
  const ensureDisk = serverPhase('ensureDisk', async ({ ctx, row }) =>
    tools.hypervisor.disks.ensureDisk(arrivedGuest(await phases.guest(ctx, row), row.snapshot)),
  );
  const isOff = ({ returnsTo }: Server): boolean => returnsTo === 'stopped';
  /** One that went off by itself is off for good: what is left of its machine ends. */
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
        // It moves the row itself: its next state is another host's.
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
        serverPhase('giveOldRoomBack', ({ ctx, row }) => tools.resizes.end(ctx, row)),
      ],
      then: (row) => (isOff(row) || row.guestOff ? 'confirmed-off' : 'confirmed'),
    },
  };
}
