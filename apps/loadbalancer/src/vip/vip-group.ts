/**
 * The security group that a VIP's port has unless its client gave it others. It is of the service's
 * own project, where no tenant sees it or has quota for it, and found again by its name.
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { SecurityGroup } from '@cumulet/clients/network/network-wire';
import { differenceOf, type LetIn } from './vip-port.js';
import type { Networks } from '../network/networks.port.js';

/** Public source: octavia, `common/constants.py`, `VIP_SECURITY_GROUP_PREFIX`. */
function nameOf(loadBalancerId: string): string {
  return `lb-${loadBalancerId}`;
}

interface Owned {
  readonly projectId: string;
  readonly loadBalancerId: string;
}

/** Makes it let in exactly this. @returns its id */
export async function ensureGroup(
  networks: Networks,
  actor: Actor,
  { projectId, loadBalancerId }: Owned,
  wanted: readonly LetIn[],
): Promise<string> {
  const name = nameOf(loadBalancerId);
  const [known] = await groupsOf(networks, actor, { projectId, loadBalancerId });
  const group =
    known ??
    (await networks.createSecurityGroup(actor, {
      projectId,
      name,
      description: `Listeners of load balancer ${loadBalancerId}`,
    }));
  const { missing, surplus } = differenceOf(wanted, group.rules);
  await networks.addRules(
    actor,
    projectId,
    missing.map((rule) => ({
      groupId: group.id,
      direction: 'ingress',
      ...rule,
      remoteGroupId: null,
    })),
  );
  for (const id of surplus) await networks.deleteRule(actor, id);
  return group.id;
}

/** Does nothing if there is none. No port is in it. */
export async function removeGroup(networks: Networks, actor: Actor, owned: Owned): Promise<void> {
  for (const { id } of await groupsOf(networks, actor, owned))
    await networks.deleteSecurityGroup(actor, id);
}

function groupsOf(
  networks: Networks,
  actor: Actor,
  { projectId, loadBalancerId }: Owned,
): Promise<SecurityGroup[]> {
  return networks.securityGroups(actor, {
    name: nameOf(loadBalancerId),
    project_id: projectId,
  });
}
