/** The security groups that a request names, by id or name. Public source: nova, `network/neutron.py`. */
import { asCaller } from '@cumulet/clients/http/actor';
import type { SecurityGroup } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Networks } from '../networks.port.js';
import { SecurityGroupAmbiguousError, SecurityGroupNotFoundError } from './nic.errors.js';

const DEFAULT_GROUP = 'default';

/**
 * @param names ids or names, as the caller gave them
 * @returns their ids; null for the project's default group alone, which a port has by itself
 */
export async function requestedGroups(
  ctx: RequestContext,
  networks: Networks,
  names: readonly string[],
): Promise<string[] | null> {
  const asked = [...new Set(names)];
  if (asked.length === 0 || (asked.length === 1 && asked[0] === DEFAULT_GROUP)) return null;
  const groups: string[] = [];
  for (const name of asked) groups.push((await groupNamed(ctx, networks, name)).id);
  return [...new Set(groups)];
}

/**
 * A group of the caller's project, or else one that is shared with it.
 * @throws SecurityGroupNotFoundError or SecurityGroupAmbiguousError
 */
export async function groupNamed(
  ctx: RequestContext,
  networks: Networks,
  name: string,
  missing: 'invalid' | 'not-found' = 'invalid',
): Promise<SecurityGroup> {
  const actor = asCaller(ctx);
  const filters = [
    { project_id: ctx.projectId, id: name },
    { project_id: ctx.projectId, name },
    { shared: 'true', id: name },
    { shared: 'true', name },
  ];
  for (const filter of filters) {
    const [found, other] = await networks.securityGroups(actor, filter);
    if (other) throw new SecurityGroupAmbiguousError(name);
    if (found) return found;
  }
  throw new SecurityGroupNotFoundError(name, missing);
}
