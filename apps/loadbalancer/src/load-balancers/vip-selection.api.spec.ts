import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { newId } from '@cumulet/testing/test-tokens';
import { refusal, startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';

let fixture: LoadBalancerFixture;

beforeAll(async () => {
  fixture = await startLoadBalancer();
});
afterAll(() => fixture.stop());

const post = (loadbalancer: object): Promise<TestResponse> =>
  fixture.client.post('/v2.0/lbaas/loadbalancers', {
    token: fixture.member,
    body: { loadbalancer },
  });

describe('a VIP', () => {
  const HERE = '203.0.113.77';

  it('uses the named port, which keeps its address', async () => {
    const { id: subnetId, networkId } = fixture.networks.subnet;
    const addresses = [{ subnetId, address: HERE }];
    const port = fixture.networks.addPort({ networkId, addresses, projectId: fixture.project });
    const made = await fixture.createLoadBalancer({ vip_subnet_id: null, vip_port_id: port.id });
    expect(made).toMatchObject({
      vip_address: HERE,
      vip_port_id: port.id,
      vip_subnet_id: subnetId,
      vip_network_id: networkId,
    });
    expect(refusal(await post({ vip_port_id: port.id }))).toEqual([
      400,
      'ValidationException',
      `Validation failure: Port ${port.id} is already used by device lb-${made.id}`,
    ]);
  });

  it('uses the subnet of a network that contains the address, or the first IPv4 subnet', async () => {
    const { networks } = fixture;
    const { id: networkId } = networks.addNetwork();
    const six = networks.addSubnet({ networkId, cidr: '2001:db8::/64', ipVersion: 6 });
    const four = networks.addSubnet({ networkId, cidr: '198.51.100.0/24' });
    const on = (body: object) =>
      fixture.createLoadBalancer({ vip_subnet_id: null, vip_network_id: networkId, ...body });
    expect((await on({}))['vip_subnet_id']).toBe(four.id);
    const vip_address = '2001:db8::5';
    expect(await on({ vip_address })).toMatchObject({ vip_address, vip_subnet_id: six.id });
  });

  it('may have additional VIPs on further subnets of its network', async () => {
    const { id: networkId } = fixture.networks.addNetwork();
    const [first, second] = ['198.51.100.0/25', '198.51.100.128/25'].map((cidr) =>
      fixture.networks.addSubnet({ networkId, cidr }),
    );
    const additional_vips = [{ subnet_id: second?.id, ip_address: '198.51.100.200' }];
    const made = await fixture.createLoadBalancer({ vip_subnet_id: first?.id, additional_vips });
    expect(made['additional_vips']).toEqual([
      { ...additional_vips[0], port_id: made['vip_port_id'] },
    ]);
  });

  describe('is refused', () => {
    let refused: (body: object) => Promise<unknown>;

    beforeAll(() => {
      refused = async (body) => refusal(await post(body));
    });

    const invalid = (detail: string) => [
      400,
      'ValidationException',
      `Validation failure: ${detail}`,
    ];
    const unknown = (what: string) => [400, 'InvalidSubresource', `${what} not found.`];

    it('if no port, subnet or network is given', async () => {
      expect(await refused({ vip_address: HERE })).toEqual([
        400,
        'VIPValidationException',
        'Validation failure: VIP must contain one of: vip_port_id, vip_network_id, vip_subnet_id.',
      ]);
    });

    it('if a reference is missing or belongs to another project', async () => {
      const { networks } = fixture;
      const stranger = { projectId: newId() };
      const theirs = networks.addSubnet(stranger);
      const address = { subnetId: theirs.id, address: HERE };
      const taken = { ...stranger, networkId: theirs.networkId, addresses: [address] };
      const port = networks.addPort(taken);
      const group = networks.addGroup(stranger);
      const policy = networks.addPolicy(stranger);
      const vip_subnet_id = networks.subnet.id;
      const id = randomUUID();
      expect(await refused({ vip_subnet_id: theirs.id })).toEqual(unknown(`Subnet ${theirs.id}`));
      expect(await refused({ vip_subnet_id: id })).toEqual(unknown(`Subnet ${id}`));
      expect(await refused({ vip_port_id: port.id })).toEqual(unknown(`Port ${port.id}`));
      expect(await refused({ vip_network_id: theirs.networkId })).toEqual(
        unknown(`Network ${theirs.networkId}`),
      );
      expect(await refused({ vip_subnet_id, vip_sg_ids: [group.id] })).toEqual(
        unknown(`Security Group ${group.id}`),
      );
      expect(await refused({ vip_subnet_id, vip_qos_policy_id: policy.id })).toEqual(
        unknown(`qos_policy ${policy.id}`),
      );
      const additional_vips = [{ subnet_id: theirs.id }];
      expect(await refused({ vip_subnet_id, additional_vips })).toEqual(
        unknown(`Subnet ${theirs.id}`),
      );
    });

    it('if its references are inconsistent', async () => {
      const { id: subnetId, networkId } = fixture.networks.subnet;
      const other = fixture.networks.addSubnet({});
      const addresses = [{ subnetId, address: HERE }];
      const { project: projectId } = fixture;
      const port = fixture.networks.addPort({ networkId, addresses, projectId });
      const busy = fixture.networks.addPort({ networkId, addresses, projectId, deviceId: 'vm' });
      const vip = { vip_subnet_id: subnetId };
      expect(await refused({ ...vip, vip_address: '192.0.2.1' })).toEqual(
        invalid(`VIP address 192.0.2.1 is not on subnet ${subnetId}, which is 203.0.113.0/24.`),
      );
      expect(await refused({ ...vip, vip_network_id: other.networkId })).toEqual(
        unknown(`Subnet ${subnetId}`),
      );
      expect(await refused({ ...vip, additional_vips: [{ subnet_id: subnetId }] })).toEqual(
        invalid('Duplicate VIP subnet(s) specified. Only one IP can be bound per subnet.'),
      );
      expect(await refused({ ...vip, additional_vips: [{ subnet_id: other.id }] })).toEqual(
        invalid('All VIP subnets must belong to the same network.'),
      );
      expect(await refused({ vip_port_id: port.id, vip_address: '203.0.113.78' })).toEqual(
        invalid('Specified VIP address not found on the specified VIP port.'),
      );
      expect(await refused({ vip_port_id: busy.id })).toEqual(
        invalid(`Port ${busy.id} is already used by device vm`),
      );
    });
  });
});
