import type { Server } from '../servers/server.entity.js';
import { serverPhase, type ServerPhases, type ServerPlans } from './server-phases.js';

/** Another disk: for good, or during a rescue. Images are fetched before the guest is touched. */
export function rebuildPlans(phases: ServerPhases): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensurePorts, ensureGuestRunning } = phases;
  const { tools } = phases;
  const ensureRescueImages = serverPhase('ensureRescueImages', async ({ ctx, row }) => {
    const { rescueImage } = row;
    for (const part of [rescueImage, rescueImage?.kernel, rescueImage?.ramdisk]) {
      if (part) await phases.ensureImage(ctx, part);
    }
  });
  const discardDisk = serverPhase('discardDisk', ({ row }) =>
    tools.hypervisor.disks.discardDisk(row.id),
  );
  const ensureRescueDisk = serverPhase('ensureRescueDisk', async ({ ctx, row }) =>
    tools.hypervisor.disks.ensureRescueDisk(await phases.guest(ctx, row)),
  );
  const discardRescueDisk = serverPhase('discardRescueDisk', ({ row }) =>
    tools.hypervisor.disks.discardRescueDisk(row.id),
  );
  const wasOff = ({ previousState, returnsTo }: Server): boolean =>
    previousState === 'stopped' || returnsTo === 'stopped';
  const unlessOff = serverPhase('ensureGuestAsBefore', async ({ ctx, row }) => {
    if (wasOff(row)) return;
    await tools.hypervisor.machines.ensureRunning(await phases.guest(ctx, row));
    await tools.servers.setLaunched(ctx, row.id);
  });
  return {
    rebuilding: {
      phases: [
        phases.ensureImages,
        ensureGuestOff,
        discardRescueDisk,
        discardDisk,
        phases.ensureDisk,
        ensurePorts,
        unlessOff,
      ],
      then: (row) => (wasOff(row) ? 'rebuilt-off' : 'rebuilt'),
    },
    rescuing: {
      phases: [
        ensureRescueImages,
        ensureGuestShutDown,
        ensureGuestOff,
        ensureRescueDisk,
        ensurePorts,
        ensureGuestRunning,
        phases.recordLaunch,
      ],
      then: 'rescued',
    },
    unrescuing: {
      phases: [ensureGuestOff, discardRescueDisk, ensurePorts, ensureGuestRunning],
      then: 'unrescued',
    },
  };
}
