import type { Server } from '../server.entity.js';
import { ServerNeverPlacedError } from '../server.errors.js';

/** @throws ServerNeverPlacedError for a server in error that no host has: there is nothing to act on */
export function requirePlaced(server: Server, action: string): void {
  if (server.state === 'error' && server.host === null)
    throw new ServerNeverPlacedError(action, server.id);
}
