import type { ServerPhases, ServerPlans } from './server-phases.js';

/** What makes a guest stand still, and go on: a guest that cannot be stopped goes on as it was. */
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
