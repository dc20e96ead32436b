/** Load balancers' addresses, of the network service as it is. */
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadBalancerService } from '@cumulet/loadbalancer/service';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

let cloud: TestCloud;
let admin: string;
let demo: string;
let network: Fields;
let subnet: Fields;

const NETWORKING = '/networking/v2.0';
const LBAAS = '/load-balancer/v2.0/lbaas';

function first<T>({ status, text, body }: TestResponse): T {
  if (status >= 300) throw new Error(text);
  return Object.values(body as Record<string, T>)[0] as T;
}

async function create(path: string, body: object, token = demo): Promise<Fields> {
  return first(await cloud.client.post(path, { token, body }));
}

async function show<T = Fields>(path: string, token = demo): Promise<T> {
  return first(await cloud.client.get(path, { token }));
}

const list = (path: string, token = demo) => show<Fields[]>(`${NETWORKING}/${path}`, token);

const post = (loadbalancer: object) =>
  cloud.client.post(`${LBAAS}/loadbalancers`, { token: demo, body: { loadbalancer } });

async function settled(id: string): Promise<Fields> {
  const of = () => show(`${LBAAS}/loadbalancers/${id}`);
  await eventually('it is settled', async () =>
    ['ACTIVE', 'ERROR'].includes(String((await of())['provisioning_status'])),
  );
  return of();
}

async function remove(id: string): Promise<void> {
  const path = `${LBAAS}/loadbalancers/${id}`;
  await cloud.client.delete(`${path}?cascade=true`, { token: demo });
  await eventually('it is gone', async () => {
    return (await cloud.client.get(path, { token: demo })).status === 404;
  });
}

beforeAll(async () => {
  const needed = SERVICES.filter(({ name }) => name === 'identity' || name === 'network');
  cloud = await startTestCloud([...needed, loadBalancerService], {
    LOADBALANCER_DATA_PLANE: 'simulated',
  });
  admin = await cloud.login('admin', cloud.secrets.adminPassword);
  demo = await cloud.login('demo', cloud.secrets.demoPassword);
  network = await create(`${NETWORKING}/networks`, { network: { name: 'net' } });
  const fields = { network_id: network.id, cidr: '10.0.0.0/24', ip_version: 4 };
  subnet = await create(`${NETWORKING}/subnets`, { subnet: fields });
});
afterAll(() => cloud.stop());

describe('a load balancer on a network', () => {
  it('has a port of its project, in its own security group, and leaves nothing behind', async () => {
    const made: Fields = first(await post({ vip_subnet_id: subnet.id }));
    expect(made).toMatchObject({
      vip_address: expect.stringMatching(/^10\.0\.0\./),
      vip_network_id: network.id,
    });
    expect(await settled(made.id)).toMatchObject({ provisioning_status: 'ACTIVE' });
    const portId = String(made['vip_port_id']);
    const port = await show(`${NETWORKING}/ports/${portId}`, admin);
    expect(port).toMatchObject({
      project_id: network['project_id'],
      device_owner: 'Octavia',
      status: 'ACTIVE',
      'binding:profile': { network_namespace: 'own' },
      device_id: `lb-${made.id}`,
    });
    expect(await list('security-groups')).toMatchObject([{ name: 'default' }]);
    const [group] = await list(`security-groups?name=lb-${made.id}`, admin);
    expect(port['security_groups']).toEqual([group?.id]);
    await remove(made.id);
    const gone = await cloud.client.get(`${NETWORKING}/ports/${portId}`, { token: demo });
    expect(gone.status).toBe(404);
    expect(await list(`security-groups?name=lb-${made.id}`, admin)).toEqual([]);
  });

  it("is refused with the network service's message, and leaves nothing behind", async () => {
    const asked = { vip_subnet_id: subnet.id, vip_address: '10.0.0.99' };
    const { id }: Fields = first(await post(asked));
    const before = await list('ports');
    const answer = await post(asked);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('The IP address 10.0.0.99 is in use.');
    expect(await list('ports')).toHaveLength(before.length);
    await remove(id);
  });

  it('uses a given port, and returns it', async () => {
    const port = await create(`${NETWORKING}/ports`, { port: { network_id: network.id } });
    const made: Fields = first(await post({ vip_port_id: port.id }));
    await settled(made.id);
    expect(await show(`${NETWORKING}/ports/${port.id}`)).toMatchObject({
      device_owner: 'Octavia',
      device_id: `lb-${made.id}`,
    });
    await remove(made.id);
    expect(await show(`${NETWORKING}/ports/${port.id}`)).toMatchObject({
      device_owner: '',
      device_id: '',
      security_groups: port['security_groups'],
    });
  });
});

describe('a load balancer on the host itself', () => {
  it('has an address of a subnet that an administrator offers', async () => {
    const external = { 'router:external': true, name: 'vips' };
    const vips = await create(`${NETWORKING}/networks`, { network: external }, admin);
    const fields = { cidr: '127.90.0.0/16', ip_version: 4, enable_dhcp: false, gateway_ip: null };
    const body = { subnet: { network_id: vips.id, ...fields } };
    const own = await create(`${NETWORKING}/subnets`, body, admin);
    const made: Fields = first(await post({ vip_subnet_id: own.id }));
    expect(await settled(made.id)).toMatchObject({
      provisioning_status: 'ACTIVE',
      vip_address: expect.stringMatching(/^127\.90\./),
    });
    const portId = String(made['vip_port_id']);
    expect(await show(`${NETWORKING}/ports/${portId}`, admin)).toMatchObject({
      'binding:profile': { network_namespace: 'host' },
      status: 'ACTIVE',
    });
    await remove(made.id);
  });

  it('cannot have an address of a subnet that its project has created', async () => {
    const mine = await create(`${NETWORKING}/networks`, { network: { name: 'mine' } });
    const fields = { network_id: mine.id, cidr: '127.91.0.0/16', ip_version: 4 };
    const body = { subnet: { ...fields, enable_dhcp: false } };
    const own = await create(`${NETWORKING}/subnets`, body);
    const answer = await post({ vip_subnet_id: own.id });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('no administrator has offered it for VIPs'),
    ]);
  });
});
