/**
 * What a client has found out by itself, and tells by `PATCH`: a controller within a cluster that this
 * service cannot reach. Public source: Magnum user guide, "Health Monitoring", external.
 */
import type { Health } from '../engine/cluster-engine.js';

/** What the service sees by itself counts more; that it sees nothing does not. Pure. */
export function seenOrTold(seen: Health, told: Health | null): Health {
  return seen.status === 'UNKNOWN' && told !== null ? told : seen;
}
