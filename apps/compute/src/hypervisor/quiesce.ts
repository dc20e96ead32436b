/** Whether a guest's agent freezes its file systems for a disk copy. Pure. */
import { HypervisorError } from './hypervisor-error.js';
import type { GuestHardware } from './ports/guest-hardware.js';
import type { GuestState } from './hypervisor-driver.js';

/** `try`: copies even if the agent does not answer, as after a loss of power. */
type Freeze = 'no' | 'try' | 'must';

/**
 * A guest that is off holds nothing back; the agent of a paused one hears nothing.
 * @throws HypervisorError `not-ready` if it must be frozen, and cannot be
 */
export function freezeOf(
  { guestAgent, requiresQuiesce = false }: GuestHardware,
  state: GuestState,
): Freeze {
  if (state !== 'running' && state !== 'paused') return 'no';
  const canFreeze = guestAgent && state === 'running';
  if (requiresQuiesce && !canFreeze) throw notFrozen();
  if (!canFreeze) return 'no';
  return requiresQuiesce ? 'must' : 'try';
}

/** @param cause why not */
export function notFrozen(cause?: unknown): HypervisorError {
  const message =
    'The image of the server requires that its file systems are frozen (os_require_quiesce), and no agent in the guest does so.';
  return new HypervisorError('not-ready', message, cause);
}
