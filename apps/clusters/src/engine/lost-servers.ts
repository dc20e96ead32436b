/** Which servers will not come back by themselves. Public source: Nova API guide, "Server concepts". */
import type { Server } from '@cumulet/clients/compute/compute-wire';

/**
 * Off or broken, with nobody at work on them: one that is rebooted, rebuilt, resized, paused, rescued or
 * shelved is in somebody's hands.
 */
const LOST = ['SHUTOFF', 'ERROR', 'DELETED', 'SOFT_DELETED'];

/** @param server undefined where there is none any more */
export function isLostServer(server: Pick<Server, 'status'> | undefined): boolean {
  return server === undefined || LOST.includes(server.status);
}
