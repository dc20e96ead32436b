/**
 * The external network `public` of the admin project, which is the default one, and the subnet pool
 * of project networks, as in DevStack. Both can be changed; a missing one is created again at a
 * start. The subnet of `public`, which every project sees and this machine reaches, also has load
 * balancers' VIPs (docs/adr/0032-vips-on-the-external-network.md).
 */
import type { Actor } from '@cumulet/clients/http/actor';
import type { ServiceClient } from '@cumulet/clients/http/service-client';
import { ensured, type Wanted } from './ensured.js';

export const PHYSICAL_NETWORK = 'public';

/**
 * @param cidr of the addresses outside; its first one is the gateway's
 * @param pool `first-last` address that it may give; all by default
 * @returns a line for the start
 */
export async function seedPublicNetwork(
  network: ServiceClient,
  admin: Actor,
  cidr: string,
  pool?: string,
): Promise<string> {
  const ensure = (wanted: Wanted): Promise<string> => ensured(network, admin, wanted);
  const networkId = await ensure({
    collection: 'networks',
    singular: 'network',
    name: 'public',
    json: {
      'router:external': true,
      is_default: true,
      'provider:network_type': 'flat',
      'provider:physical_network': PHYSICAL_NETWORK,
    },
  });
  await ensure({
    collection: 'subnets',
    singular: 'subnet',
    name: 'public-subnet',
    json: { network_id: networkId, ip_version: 4, cidr, enable_dhcp: false, ...poolOf(pool) },
  });
  await ensure({
    collection: 'subnetpools',
    singular: 'subnetpool',
    name: 'shared-default-subnetpool-v4',
    json: { shared: true, is_default: true, prefixes: ['10.0.0.0/10'], default_prefixlen: 24 },
  });
  return `public, ${cidr}`;
}

function poolOf(pool: string | undefined): object {
  if (pool === undefined) return {};
  const [start, end] = pool.split('-');
  return { allocation_pools: [{ start, end }] };
}

interface Clients {
  readonly identity: ServiceClient;
  readonly network: ServiceClient;
}

/** Whether no data plane carries packets. @param reason of the chosen data plane */
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
