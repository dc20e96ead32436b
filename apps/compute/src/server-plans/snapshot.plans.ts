import type { SnapshotPhases } from './snapshot-phases.js';
import type { ServerPhases, ServerPlans } from './server-phases.js';

/** Makes an image of a server, which continues as it was, whatever the outcome. */
export function snapshotPlans(snapshots: SnapshotPhases): ServerPlans {
  const phases = [
    snapshots.ensureImageMade,
    snapshots.ensureDiskCopied,
    snapshots.ensureCopyUploaded,
    snapshots.removeCopy,
    snapshots.removeOldBackups,
  ];
  const release = [snapshots.removeCopy, snapshots.dropImage];
  const plan = { phases, release };
  return {
    snapshotting: { ...plan, then: 'snapshotted', failure: 'snapshotted' },
    'snapshotting-stopped': {
      ...plan,
      then: 'snapshotted-stopped',
      failure: 'snapshotted-stopped',
    },
    'snapshotting-paused': { ...plan, then: 'snapshotted-paused', failure: 'snapshotted-paused' },
    'snapshotting-suspended': {
      ...plan,
      then: 'snapshotted-suspended',
      failure: 'snapshotted-suspended',
    },
  };
}

/** Stores a server as an image, and restores it. */
export function shelvePlans(
  phases: ServerPhases,
  snapshots: SnapshotPhases,
  offloadsAtOnce: boolean,
): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensureGuestRunning, ensureGuestGone } = phases;
  const toImage = [
    snapshots.ensureImageMade,
    snapshots.ensureDiskCopied,
    snapshots.ensureCopyUploaded,
    snapshots.recordImage,
    snapshots.removeCopy,
  ];
  const release = [snapshots.removeCopy, snapshots.dropImage];
  const then = offloadsAtOnce ? 'offload' : 'shelved';
  return {
    shelving: {
      phases: [ensureGuestShutDown, ensureGuestOff, ...toImage],
      then,
      goesOn: true,
      failure: 'not-shelved',
      release: [...release, ensureGuestRunning],
    },
    'shelving-stopped': {
      phases: toImage,
      then,
      goesOn: true,
      failure: 'not-shelved-stopped',
      release,
    },
    'shelving-suspended': {
      phases: toImage,
      then,
      goesOn: true,
      failure: 'not-shelved-suspended',
      release,
    },
    offloading: { phases: [ensureGuestGone, phases.releaseRoom], then: 'offloaded' },
    // The phase moves the row itself, as claiming the host leaves the state.
    'unshelve-scheduling': { phases: [phases.choosePlace], failure: 'not-placed-again' },
    unshelving: {
      phases: [phases.ensurePorts, phases.ensureImages, phases.ensureDisk, ensureGuestRunning],
      then: 'unshelved',
      failure: 'not-unshelved',
      release: [ensureGuestGone, phases.releaseRoom],
    },
    'unshelving-here': {
      phases: [phases.ensurePorts, ensureGuestRunning],
      then: 'unshelved',
      failure: 'not-unshelved-here',
      release: [ensureGuestOff],
    },
  };
}
