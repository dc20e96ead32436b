/** The ports of VIPs: made once, bound to a host, let in what listeners do, and given back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Network, Subnet } from '@cumulet/clients/network/network-wire';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { initialState } from '@cumulet/common/states/transition';
import { Table } from '@cumulet/common/tables/table';
import { Host } from '../hosts/host.entity.js';
import { Listener } from '../tree/listener.entity.js';
import { type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { loadBalancerStates } from '../tree/load-balancer.states.js';
import { startLoadBalancer, type LoadBalancerFixture } from '../loadbalancer.fixture.js';
import { Member } from '../tree/member.resource.js';
import { Pool } from '../tree/pool.entity.js';
import { StoredNetworks, refused } from '../network/stored-networks.fixture.js';
import { VipsService } from './vips.service.js';

const OWN = 'service-project';
const HOST = 'here';
const missing = (): DomainError => new DomainError('not-found', 'missing');
const [listeners, pools, members, hosts] = [
  new Table(Listener, { missing }),
  new Table(Pool, { missing }),
  new Table(Member, { missing }),
  new Table(Host, { missing }),
] as const;

let fixture: LoadBalancerFixture;
let networks: StoredNetworks;
let vips: VipsService;
let network: Network;
let subnet: Subnet;

beforeAll(async () => {
  fixture = await startLoadBalancer({ config: { role: 'api' } });
  await hosts.insert(fixture.ctx, { name: HOST, dataPlane: 'simulated', seenAt: new Date() });
});
afterAll(() => fixture.stop());
beforeEach(() => {
  networks = new StoredNetworks();
  vips = serviceWith({});
  network = networks.addNetwork(fixture.project);
  subnet = networks.addSubnet(network, '10.0.0.0/16', '10.0.0.1');
});

function serviceWith(config: { readonly loopbackMembers?: boolean }): VipsService {
  const own = { projectId: () => Promise.resolve(OWN) };
  return new VipsService(networks, own, { ...fixture.config, ...config });
}

function create(columns: Partial<LoadBalancer> = {}): Promise<LoadBalancer> {
  return loadBalancers.insert(fixture.ctx, {
    id: randomUUID(),
    projectId: fixture.project as LoadBalancer['projectId'],
    provider: 'haproxy',
    vipSubnetId: subnet.id,
    vipNetworkId: network.id,
    ...initialState(loadBalancerStates),
    ...columns,
  });
}

async function listen(row: LoadBalancer, port: number, changes: Partial<Listener> = {}) {
  const part = { projectId: row.projectId, loadBalancerId: row.id, provisioningStatus: 'ACTIVE' };
  const own = { protocol: 'HTTP', protocolPort: port, ...changes };
  return listeners.insert(fixture.ctx, { id: randomUUID(), ...part, ...own } as Listener);
}

/** It has a port and a host. */
async function placed(columns: Partial<LoadBalancer> = {}): Promise<LoadBalancer> {
  const row = await vips.ensurePort(fixture.ctx, await create(columns));
  return loadBalancers.update(fixture.ctx, row.id, { host: HOST });
}

const portOf = ({ vipPortId }: LoadBalancer) => networks.portsThere.get(vipPortId ?? '');
const groupsOf = ({ id }: LoadBalancer) =>
  [...networks.groupsThere.values()].filter(({ name }) => name === `lb-${id}`);
const letIn = (row: LoadBalancer) =>
  groupsOf(row)
    .flatMap(({ rules }) => rules)
    .map((one) => [one.protocol, one.portRangeMin, one.remoteIpPrefix].join(' '))
    .sort();

describe('the port of a VIP', () => {
  it('is created once, for the project, and recorded with its addresses', async () => {
    const six = networks.addSubnet(network, '2001:db8::/64');
    const additionalVips = [{ subnet_id: six.id, ip_address: null }];
    const row = await vips.ensurePort(fixture.ctx, await create({ additionalVips }));
    expect(row).toMatchObject({
      vipAddress: expect.stringMatching(/^10\.0\./) as unknown,
      additionalVips: [{ subnet_id: six.id, ip_address: expect.stringContaining('2001:db8:') }],
    });
    expect(portOf(row)).toMatchObject({
      projectId: fixture.project,
      name: `octavia-lb-${row.id}`,
      deviceOwner: 'Octavia',
      deviceId: `lb-${row.id}`,
    });
    expect(await vips.ensurePort(fixture.ctx, row)).toBe(row);
  });

  it('is the same after a lost response', async () => {
    const row = await create();
    networks.lostAnswers.push(new DomainError('unavailable', 'lost'));
    await expect(vips.ensurePort(fixture.ctx, row)).rejects.toThrow('lost');
    const later = await vips.ensurePort(fixture.ctx, row);
    expect([...networks.portsThere.keys()]).toEqual([later.vipPortId]);
  });

  it('is deleted if its load balancer is deleted before it is recorded', async () => {
    const row = await create();
    await loadBalancers.delete(fixture.ctx, row.id);
    await expect(vips.ensurePort(fixture.ctx, row)).rejects.toThrow('not found');
    expect(networks.portsThere.size).toBe(0);
  });

  it('is not created if the network service refuses, with its reason', async () => {
    const row = await create();
    networks.lostAnswers.push(refused(409, 'The IP address 10.0.0.9 is in use.'));
    await expect(vips.ensurePort(fixture.ctx, row)).rejects.toMatchObject({
      kind: 'conflict',
      serviceMessage: 'The IP address 10.0.0.9 is in use.',
    });
  });
});

describe('a VIP on a host', () => {
  it('is in its own network namespace', async () => {
    const row = await placed();
    const place = await vips.ensureBound(fixture.ctx, row);
    expect(place).toEqual({ kind: 'namespace', name: `cumulet-1.${row.vipPortId}` });
    expect(portOf(row)).toMatchObject({
      hostId: HOST,
      bindingProfile: { network_namespace: 'own' },
    });
    const { revision } = portOf(row) ?? {};
    await vips.ensureBound(fixture.ctx, row);
    expect(portOf(row)?.revision).toBe(revision);
  });

  it('is retried while the network is being configured', async () => {
    const row = await placed();
    networks.boundStatus = 'BUILD';
    expect(await vips.ensureBound(fixture.ctx, row)).toBeUndefined();
  });

  it('is retried on a host that the network service does not know', async () => {
    const row = await placed();
    networks.agentsThere = [];
    await expect(vips.ensureBound(fixture.ctx, row)).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining('has no agent on host here'),
    });
  });

  it('reports why it cannot be there', async () => {
    const row = await placed();
    await vips.ensureBound(fixture.ctx, row);
    const port = portOf(row);
    const vif = { type: 'binding_failed', details: { reason: 'no OVN' } };
    if (port) networks.portsThere.set(port.id, { ...port, vif });
    await expect(vips.ensureBound(fixture.ctx, row)).rejects.toMatchObject({
      kind: 'conflict',
      message: `The VIP's port ${port?.id} could not be bound on its host: no OVN`,
    });
  });

  it('is recreated with its address if its port was deleted', async () => {
    const row = await placed();
    networks.portsThere.clear();
    await vips.ensureBound(fixture.ctx, row);
    const now = await loadBalancers.get(fixture.ctx, row.id);
    expect(now.vipPortId).not.toBe(row.vipPortId);
    expect(portOf(now)?.addresses).toEqual([{ subnetId: subnet.id, address: row.vipAddress }]);
  });

  it('follows its QoS policy', async () => {
    const row = await placed();
    await vips.ensureBound(fixture.ctx, row);
    const vipQosPolicyId = randomUUID();
    const now = await loadBalancers.update(fixture.ctx, row.id, { vipQosPolicyId });
    await vips.ensureBound(fixture.ctx, now);
    expect(portOf(row)?.qosPolicyId).toBe(vipQosPolicyId);
  });
});

describe('the security group of a VIP', () => {
  it('allows the ports of its listeners, from their allowed networks', async () => {
    const row = await placed();
    const first = await listen(row, 80);
    await listen(row, 443, { allowedCidrs: ['192.0.2.7/24', '2001:db8::/32'] });
    await listen(row, 53, { protocol: 'UDP' });
    await vips.ensureBound(fixture.ctx, row);
    expect(letIn(row)).toEqual(['tcp 443 192.0.2.0/24', 'tcp 80 ', 'udp 53 ']);
    expect(portOf(row)?.securityGroupIds).toEqual(groupsOf(row).map(({ id }) => id));
    expect(groupsOf(row)).toMatchObject([{ projectId: OWN }]);
    await listeners.update(fixture.ctx, first.id, { provisioningStatus: 'PENDING_DELETE' });
    await vips.ensureBound(fixture.ctx, row);
    expect(letIn(row)).toEqual(['tcp 443 192.0.2.0/24', 'udp 53 ']);
  });

  it('does not replace groups set on the port, until a client changes the load balancer', async () => {
    const row = await placed();
    await listen(row, 80);
    await vips.ensureBound(fixture.ctx, row);
    const port = portOf(row);
    if (port) networks.portsThere.set(port.id, { ...port, securityGroupIds: ['theirs'] });
    const settled = await loadBalancers.update(fixture.ctx, row.id, { vipGroupsDue: false });
    await listen(row, 443);
    await vips.ensureBound(fixture.ctx, settled);
    expect(portOf(row)?.securityGroupIds).toEqual(['theirs']);
    expect(letIn(row)).toEqual(['tcp 443 ', 'tcp 80 ']);
    const due = await loadBalancers.update(fixture.ctx, row.id, { vipGroupsDue: true });
    await vips.ensureBound(fixture.ctx, due);
    expect(portOf(row)?.securityGroupIds).toEqual(groupsOf(row).map(({ id }) => id));
  });

  it('is set on a port that replaces a deleted one', async () => {
    const row = await placed({ vipGroupsDue: false });
    networks.portsThere.clear();
    await vips.ensureBound(fixture.ctx, row);
    const now = await loadBalancers.get(fixture.ctx, row.id);
    expect(portOf(now)?.securityGroupIds).toEqual(groupsOf(row).map(({ id }) => id));
  });

  it('is not created if the client has given groups', async () => {
    const vipSgIds = [randomUUID()];
    const row = await placed({ vipSgIds });
    await listen(row, 80);
    await vips.ensureBound(fixture.ctx, row);
    expect(portOf(row)?.securityGroupIds).toEqual(vipSgIds);
    expect(groupsOf(row)).toEqual([]);
  });
});

describe('a port given by a client', () => {
  const given = async (): Promise<LoadBalancer> => {
    const port = networks.addPort({ networkId: network.id, projectId: fixture.project });
    const vip = { vipPortId: port.id, ownsVipPort: false };
    return placed({ ...vip, vipAddress: port.addresses[0]?.address ?? '' });
  };

  it('keeps its QoS policy until the load balancer sets or unsets one', async () => {
    const qosPolicyId = randomUUID();
    const asked = { networkId: network.id, projectId: fixture.project, qosPolicyId };
    const { id: vipPortId } = networks.addPort(asked);
    const row = await placed({ vipPortId, ownsVipPort: false });
    expect(row.vipQosPolicyId).toBe(qosPolicyId);
    await vips.ensureBound(fixture.ctx, row);
    expect(portOf(row)?.qosPolicyId).toBe(qosPolicyId);
    const none = await loadBalancers.update(fixture.ctx, row.id, { vipQosPolicyId: null });
    await vips.ensureBound(fixture.ctx, await vips.ensurePort(fixture.ctx, none));
    expect(portOf(row)?.qosPolicyId).toBeNull();
  });

  it('is used, keeps its security groups, and is returned unchanged', async () => {
    const row = await given();
    await listen(row, 80);
    expect(portOf(row)).toMatchObject({ deviceId: `lb-${row.id}`, deviceOwner: 'Octavia' });
    await vips.ensureBound(fixture.ctx, row);
    const [group] = groupsOf(row);
    expect(portOf(row)?.securityGroupIds).toEqual(['default', group?.id]);
    await vips.release(fixture.ctx, row);
    expect(portOf(row)).toMatchObject({
      deviceId: '',
      deviceOwner: '',
      hostId: '',
      bindingProfile: {},
      securityGroupIds: ['default'],
    });
    expect(groupsOf(row)).toEqual([]);
  });

  it('is neither taken from nor returned against another user', async () => {
    const row = await given();
    const port = portOf(row);
    if (port) networks.portsThere.set(port.id, { ...port, deviceId: 'server' });
    await expect(vips.ensurePort(fixture.ctx, row)).rejects.toThrow(
      'already used by device server',
    );
    await vips.release(fixture.ctx, row);
    expect(portOf(row)?.deviceId).toBe('server');
  });
});

describe('cleanup', () => {
  it('removes the port and its security group', async () => {
    const row = await placed();
    await listen(row, 80);
    await vips.ensureBound(fixture.ctx, row);
    await vips.release(fixture.ctx, row);
    await vips.release(fixture.ctx, row);
    expect([networks.portsThere.size, networks.groupsThere.size]).toEqual([0, 0]);
  });

  it('removes a port whose creation was never answered', async () => {
    const row = await create();
    networks.lostAnswers.push(new DomainError('unavailable', 'lost'));
    await expect(vips.ensurePort(fixture.ctx, row)).rejects.toThrow('lost');
    await vips.release(fixture.ctx, row);
    expect(networks.portsThere.size).toBe(0);
  });
});

describe('a VIP on the host itself', () => {
  const onHost = async (): Promise<LoadBalancer> => {
    const vipNetwork = networks.addNetwork('admin', { isExternal: true });
    const { id: vipSubnetId } = networks.addSubnet(vipNetwork, '127.90.0.0/16');
    return placed({ vipSubnetId, vipNetworkId: vipNetwork.id });
  };

  const addMember = async (row: LoadBalancer, address: string, monitorAddress?: string) => {
    const part = { projectId: row.projectId, loadBalancerId: row.id };
    const pool = { protocol: 'HTTP', lbAlgorithm: 'ROUND_ROBIN' } as const;
    const { id: poolId } = await pools.insert(fixture.ctx, { id: randomUUID(), ...part, ...pool });
    const own = { poolId, address, protocolPort: 80, monitorAddress: monitorAddress ?? null };
    await members.insert(fixture.ctx, { id: randomUUID(), ...part, ...own });
  };

  it('needs no namespace or security group', async () => {
    const row = await onHost();
    await listen(row, 80);
    expect(await vips.ensureBound(fixture.ctx, row)).toEqual({ kind: 'host' });
    expect(portOf(row)).toMatchObject({ bindingProfile: { network_namespace: 'host' } });
    expect(groupsOf(row)).toEqual([]);
  });

  it.each([
    ['127.0.0.1', undefined],
    ['203.0.113.7', '127.0.0.1'],
    ['::ffff:127.0.0.1', undefined],
  ])('cannot have a member at %s, monitored at %s', async (address, monitor) => {
    const row = await onHost();
    await addMember(row, address, monitor);
    await expect(vips.ensureBound(fixture.ctx, row)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('it is a loopback address'),
    });
    vips = serviceWith({ loopbackMembers: true });
    expect(await vips.ensureBound(fixture.ctx, row)).toEqual({ kind: 'host' });
  });
});
