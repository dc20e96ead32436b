/** A server as compute shows it, and how far it is. Public source: Nova API guide, "Server concepts". */
import type { JsonObject } from '../../json/json.js';
import { asObject, asText } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope } from '../resource-type.js';
import { computeCalls, serverPath } from './nova-calls.js';

/** In which compute is at work on it, or somebody has put it for a while. */
const PASSING = [
  'BUILD',
  'HARD_REBOOT',
  'PASSWORD',
  'REBOOT',
  'RESCUE',
  'RESIZE',
  'REVERT_RESIZE',
  'SHUTOFF',
  'SUSPENDED',
  'VERIFY_RESIZE',
  'REBUILD',
  'MIGRATING',
];

export async function findServer(scope: ExistingScope): Promise<JsonObject | undefined> {
  const answer = await computeCalls(scope).find(serverPath(scope.row.physicalId));
  return asObject(answer?.['server']);
}

/** @throws ResourceInErrorError if it is gone */
export async function serverOf(scope: ExistingScope): Promise<JsonObject> {
  const server = await findServer(scope);
  if (!server)
    throw new ResourceInErrorError('DELETED', `There is no server ${scope.row.physicalId}.`);
  return server;
}

export function statusOf(server: JsonObject): string {
  return asText(server['status']);
}

/**
 * @param wanted status
 * @throws ResourceInErrorError for one that leads nowhere
 */
export function isIn(server: JsonObject, wanted: string): boolean {
  const status = statusOf(server);
  if (status === wanted) return true;
  if ([...PASSING, 'ACTIVE'].includes(status)) return false;
  throw new ResourceInErrorError(status, faultOf(server));
}

/** `Message: No valid host was found., Code: 500` */
export function faultOf(server: JsonObject): string {
  const fault = asObject(server['fault']) ?? {};
  const [message, code] = [asText(fault['message']), asText(fault['code'])];
  return `Message: ${message || 'Unknown'}, Code: ${code || 'Unknown'}`;
}
