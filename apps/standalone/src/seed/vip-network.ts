/**
 * Where load balancers have their addresses while nothing carries packets between networks: on the
 * machine itself, in 127.0.0.0/8, which needs no root. Every project sees the subnet, since the
 * network is external; a shared one would be the network of servers that name none. It is of the
 * project of services, where it is nobody's own, either.
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';
import { ensured } from './ensured.js';

interface Clients {
  readonly identity: ServiceClient;
  readonly network: ServiceClient;
}

/** Whether nothing carries packets. @param reason why it has the data plane that it has */
export function hasNoSwitch(reason = ''): boolean {
  return /^(user|simulated),/.test(reason);
}

/** @returns a line for the start */
export async function seedVipNetwork(
  { identity, network }: Clients,
  admin: Actor,
  cidr: string,
): Promise<string> {
  const query = { name: 'service', domain_id: 'default' };
  const { body } = await identity.send({ path: '/v3/projects', query, actor: admin });
  const [project] = (body as { readonly projects: readonly { readonly id: string }[] }).projects;
  const networkId = await ensured(network, admin, {
    collection: 'networks',
    singular: 'network',
    name: 'vips',
    json: {
      'router:external': true,
      'provider:network_type': 'local',
      project_id: project?.id,
      description: 'Addresses of load balancers on the machine itself.',
    },
  });
  await ensured(network, admin, {
    collection: 'subnets',
    singular: 'subnet',
    name: 'vips',
    json: {
      network_id: networkId,
      ip_version: 4,
      cidr,
      enable_dhcp: false,
      gateway_ip: null,
      project_id: project?.id,
    },
  });
  return `subnet vips, ${cidr}`;
}
