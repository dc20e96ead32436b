import type { SnapshotPhases } from './snapshot-phases.js';
import { orOnNextHost } from './next-host.js';
import type { ServerPhases, ServerPlans } from './server-phases.js';

/** A server's beginning and its end. */
export function lifePlans(phases: ServerPhases, { dropImage }: SnapshotPhases): ServerPlans {
  const { ensureGuestGone } = phases;
  return {
    // The phase moves the row itself: claiming the host and leaving the state are one step.
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
      release: [ensureGuestGone, phases.releasePorts, phases.giveRoomBack],
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
