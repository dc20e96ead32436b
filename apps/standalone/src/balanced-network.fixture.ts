/** A network of the project `demo` on real OVN, with programs of this host to balance between. */
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { expect } from '@jest/globals';
import { inNamespace } from '@cumulet/network/data-plane/ovn/host/switch-namespace';
import { reaches, serveIn } from '@cumulet/network/data-plane/ovn/host/test-guest.fixture';
import type { TestResponse } from '@cumulet/testing/http-client';
import { eventually } from '@cumulet/testing/settle';
import { SERVICES } from './services.js';
import { startTestCloud, type TestCloud } from './test-cloud.fixture.js';

/** A resource on the wire. */
export type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

export const NETWORKING = '/networking/v2.0';
export const LBAAS = '/load-balancer/v2.0/lbaas';
const NEEDED = ['identity', 'network', 'loadbalancer'];
/** The machine's part of a network outside that no other test has. */
const OUTSIDE = `198.18.${randomInt(256)}`;

/** A program of this host on the network. */
interface Placed {
  /** Its network namespace. */
  readonly namespace: string;
  readonly address: string;
}

export class BalancedNetwork {
  /** The programs that answer at `members`, on port 8080. */
  servers: readonly ChildProcess[] = [];
  members: readonly string[] = [];
  network: Fields = { id: '' };
  subnet: Fields = { id: '' };
  /** The namespace of the network's first client. */
  #client = '';

  private constructor(
    readonly cloud: TestCloud,
    readonly admin: string,
    readonly demo: string,
  ) {}

  /**
   * @param dataPlane of the load balancer service
   * @param allowed fields of the one rule of the programs' security group
   */
  static async start(dataPlane: string, allowed: object): Promise<BalancedNetwork> {
    const cloud = await startTestCloud(
      SERVICES.filter(({ name }) => NEEDED.includes(name)),
      {
        NETWORK_DATA_PLANE: 'ovn',
        NETWORK_UPLINK_ADDRESSES: `public=${OUTSIDE}.1/24`,
        LOADBALANCER_DATA_PLANE: dataPlane,
      },
    );
    const admin = await cloud.login('admin', cloud.secrets.adminPassword);
    const demo = await cloud.login('demo', cloud.secrets.demoPassword);
    const started = new BalancedNetwork(cloud, admin, demo);
    try {
      await started.#setUp(allowed);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  async stop(): Promise<void> {
    for (const server of this.servers) server.kill('SIGKILL');
    await this.cloud.stop();
  }

  async create(path: string, body: object, token = this.demo): Promise<Fields> {
    return first(await this.cloud.client.post(path, { token, body }));
  }

  async show<T = Fields>(path: string, token = this.demo): Promise<T> {
    return first(await this.cloud.client.get(path, { token }));
  }

  /** @returns a load balancer with its VIP on the network, which runs */
  async balance(fields: object = {}): Promise<Fields> {
    const loadbalancer = { name: 'web', vip_subnet_id: this.subnet.id, ...fields };
    const balancer = await this.create(`${LBAAS}/loadbalancers`, { loadbalancer });
    await this.settled(balancer);
    return balancer;
  }

  /** Until what was asked for has been applied. */
  async settled({ id }: Fields): Promise<void> {
    const status = async () =>
      (await this.show(`${LBAAS}/loadbalancers/${id}`))['provisioning_status'];
    await eventually('it is settled', async () => !String(await status()).startsWith('PENDING'));
    expect(await status()).toBe('ACTIVE');
  }

  /** Whether the client reaches a member by the port of the VIP. */
  answers(balancer: Fields, port: number): Promise<boolean> {
    return reaches(String(balancer['vip_address']), port, (program, args) =>
      inNamespace(this.#client, program, args),
    );
  }

  /** @returns the address at which this machine, which is outside, finds the balancer */
  async floatingIp(balancer: Fields): Promise<string> {
    const { admin, demo: token, subnet } = this;
    const external = {
      'router:external': true,
      'provider:network_type': 'flat',
      'provider:physical_network': 'public',
    };
    const outside = await this.create(`${NETWORKING}/networks`, { network: external }, admin);
    const fields = { network_id: outside.id, cidr: `${OUTSIDE}.0/24`, ip_version: 4 };
    const addresses = { ...fields, enable_dhcp: false };
    await this.create(`${NETWORKING}/subnets`, { subnet: addresses }, admin);
    const gateway = { external_gateway_info: { network_id: outside.id } };
    const router = await this.create(`${NETWORKING}/routers`, { router: gateway });
    const path = `${NETWORKING}/routers/${router.id}/add_router_interface`;
    await this.cloud.client.put(path, { token, body: { subnet_id: subnet.id } });
    const floatingip = { floating_network_id: outside.id, port_id: balancer['vip_port_id'] };
    const floating = await this.create(`${NETWORKING}/floatingips`, { floatingip });
    return String(floating['floating_ip_address']);
  }

  /** Deletes the balancer with all that it has; returns once it is gone. */
  async remove({ id }: Fields): Promise<void> {
    const { demo: token } = this;
    const { client } = this.cloud;
    const path = `${LBAAS}/loadbalancers/${id}`;
    await client.delete(`${path}?cascade=true`, { token });
    await eventually('it is gone', async () => (await client.get(path, { token })).status === 404);
  }

  async #setUp(allowed: object): Promise<void> {
    this.network = await this.create(`${NETWORKING}/networks`, { network: { name: 'inner' } });
    const fields = { network_id: this.network.id, cidr: '10.0.0.0/24', ip_version: 4 };
    this.subnet = await this.create(`${NETWORKING}/subnets`, { subnet: fields });
    const named = { security_group: { name: 'web' } };
    const { id } = await this.create(`${NETWORKING}/security-groups`, named);
    const rule = { security_group_id: id, direction: 'ingress', protocol: 'tcp', ...allowed };
    await this.create(`${NETWORKING}/security-group-rules`, { security_group_rule: rule });
    this.#client = (await this.#place(id)).namespace;
    const backends = [await this.#place(id), await this.#place(id)];
    this.members = backends.map(({ address }) => address);
    this.servers = await Promise.all(backends.map(({ namespace }) => serveIn(namespace, 8080)));
  }

  async #place(securityGroup: string): Promise<Placed> {
    const at = { 'binding:host_id': 'standalone', 'binding:profile': { network_namespace: 'own' } };
    const own = { network_id: this.network.id, project_id: this.network['project_id'] };
    const port = { ...own, ...at, security_groups: [securityGroup] };
    const made = await this.create(`${NETWORKING}/ports`, { port }, this.admin);
    const path = `${NETWORKING}/ports/${made.id}`;
    const isUp = async () => (await this.show(path))['status'] === 'ACTIVE';
    await eventually('its port is up', isUp);
    const { fixed_ips: addresses } = made as unknown as { fixed_ips: { ip_address: string }[] };
    const { 'binding:vif_details': details } = (await this.show(path, this.admin)) as unknown as {
      'binding:vif_details': { network_namespace: string };
    };
    return { namespace: details.network_namespace, address: addresses[0]?.ip_address ?? '' };
  }
}

/** @returns what the answer's one key holds */
function first<T>({ status, text, body }: TestResponse): T {
  if (status >= 300) throw new Error(text);
  return Object.values(body as Record<string, T>)[0] as T;
}
