/** Load balancers of a project, through the API: each with its address on a network of theirs. */
import { asBearer } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';

const PATH = '/v2.0/lbaas/loadbalancers';

/** @returns the id of one, once all are ACTIVE */
export async function createLoadBalancers(
  url: string,
  token: string,
  count: number,
): Promise<string> {
  const networks = new ServiceClient({ service: 'network', baseUrl: `${url}/networking` });
  const balancers = new ServiceClient({ service: 'loadbalancer', baseUrl: `${url}/load-balancer` });
  const actor = asBearer(token);
  const made = async (plural: string, fields: object): Promise<string> => {
    const [singular, path] = [plural.slice(0, -1), `/v2.0/${plural}`];
    const json = { [singular]: fields };
    const { body } = await networks.send({ method: 'POST', path, actor, json });
    return (body as Record<string, { id: string }>)[singular]?.id ?? '';
  };
  const network_id = await made('networks', { name: 'bench' });
  const subnet = { network_id, ip_version: 4, cidr: '10.99.0.0/24' };
  const vip_subnet_id = await made('subnets', subnet);
  await networks.close();
  for (let at = 0; at < count; at += 1) {
    const loadbalancer = { name: `bench-${at}`, vip_subnet_id };
    await balancers.send({ method: 'POST', path: PATH, actor, json: { loadbalancer } });
  }
  for (;;) {
    const query = { provisioning_status: 'ACTIVE' };
    const { body } = await balancers.send({ path: PATH, query, actor });
    const { loadbalancers } = body as { loadbalancers: readonly { id: string }[] };
    const [first] = loadbalancers;
    if (loadbalancers.length === count && first) {
      await balancers.close();
      return first.id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
