import type { ServerPhases, ServerPlans } from './server-phases.js';

/** What starts and ends a guest's machine, and leaves its disk as it is. */
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
