import type { NetworkFixture, Wire } from '../network.fixture.js';

/** A topology for floating IPs: a router between a project's network and an external one. */
export interface FloatingTopology {
  readonly outside: Wire;
  readonly inside: Wire;
  readonly insideSubnet: Wire;
  readonly router: Wire;
  /** Another external network, with one subnet. */
  external(cidr: string): Promise<{ network: Wire; subnet: Wire }>;
}

export async function floatingTopology(fixture: NetworkFixture): Promise<FloatingTopology> {
  const { admin, client, member } = fixture;
  const external: FloatingTopology['external'] = async (cidr) => {
    const network = await fixture.create('networks', { 'router:external': true }, admin);
    const fields = { network_id: network.id, ip_version: 4, cidr };
    return { network, subnet: await fixture.create('subnets', fields, admin) };
  };
  const { network: outside } = await external('203.0.113.0/24');
  const { network: inside, subnet: insideSubnet } = await fixture.networkWith('10.7.0.0/24');
  const info = { network_id: outside.id };
  const router = await fixture.create('routers', { external_gateway_info: info });
  const body = { subnet_id: insideSubnet.id };
  const path = `/v2.0/routers/${router.id}/add_router_interface`;
  const { status, text } = await client.put(path, { token: member, body });
  if (status !== 200) throw new Error(`the interface answered ${status}: ${text}`);
  return { outside, inside, insideSubnet, router, external };
}
