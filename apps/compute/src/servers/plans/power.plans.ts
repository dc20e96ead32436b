import type { ServerPhases, ServerPlans } from './server-phases.js';

/** What starts and ends a guest's machine, and leaves its disk as it is. */
export function powerPlans(phases: ServerPhases): ServerPlans {
  const { ensureGuestShutDown, ensureGuestOff, ensureGuestRunning } = phases;
  return {
    stopping: { phases: [ensureGuestShutDown, ensureGuestOff], then: 'stopped' },
    starting: { phases: [ensureGuestRunning], then: 'started' },
    rebooting: {
      phases: [ensureGuestShutDown, ensureGuestOff, ensureGuestRunning],
      then: 'rebooted',
    },
    'hard-rebooting': { phases: [ensureGuestOff, ensureGuestRunning], then: 'rebooted' },
  };
}
