/** Where VIPs may be. */
import { beforeEach, expect, it } from '@jest/globals';
import type { Network } from '@cumulet/clients/network/network-wire';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { StoredNetworks } from '../network/stored-networks.fixture.js';
import { refuseVip } from './vip-selection.js';

const PROJECT = 'project';

const ctx = new RequestContext({
  requestId: asId('req-vip'),
  userId: asId('user'),
  projectId: asId(PROJECT),
  roles: ['member'],
  token: 'token',
  manager: undefined as never,
});

let networks: StoredNetworks;

beforeEach(() => {
  networks = new StoredNetworks();
});

/** @returns why there may be no VIP, or nothing */
async function refusal(
  network: Network,
  cidrs: readonly string[],
  vipAddress: string | null = null,
  gateway: string | null = null,
): Promise<string> {
  const [first, ...others] = cidrs.map((cidr) => networks.addSubnet(network, cidr, gateway).id);
  const additionalVips = others.map((subnet_id) => ({ subnet_id, ip_address: null }));
  const vip = { vipNetworkId: network.id, vipSubnetId: first ?? null, vipAddress, additionalVips };
  return refuseVip(networks, ctx, vip).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

const own = () => networks.addNetwork(PROJECT);
const offered = () => networks.addNetwork('admin', { isExternal: true });

it('accepts any subnet where packets are carried', async () => {
  expect(await refusal(own(), ['10.0.0.0/24', '2001:db8::/64'], '10.0.0.9')).toBe('');
  expect(await refusal(offered(), ['203.0.113.0/24'], '203.0.113.9')).toBe('');
});

it("refuses the gateway address of another project's network", async () => {
  const address = '203.0.113.1';
  expect(await refusal(offered(), ['203.0.113.0/24'], address, address)).toBe(
    'Validation failure: VIP address 203.0.113.1 is the gateway of its subnet.',
  );
  expect(await refusal(own(), ['203.0.113.0/24'], address, address)).toBe('');
});

it('allows loopback VIPs on external networks, with and without OVN', async () => {
  const datapathType = 'user';
  networks.agentsThere = [{ host: 'here', isAlive: true, datapathType, namespace: null }];
  expect(await refusal(offered(), ['127.90.0.0/16'])).toBe('');
});

it.each([
  ['127.90.0.0/16', { isExternal: false }, null, 'no administrator has offered it'],
  ['127.90.0.0/16', { isShared: true }, null, 'no administrator has offered it'],
  ['96.0.0.0/3', { isExternal: true }, null, 'no administrator has offered it'],
  [
    '127.0.0.0/8',
    { isExternal: true },
    null,
    'reserved for the host (127.0.0.0/16): specify a VIP',
  ],
  ['127.0.0.0/8', { isExternal: true }, '127.0.0.1', 'is reserved for the host (127.0.0.0/16)'],
])('refuses a VIP on %s of %j at %s', async (cidr, changes, address, message) => {
  const network = networks.addNetwork('admin', changes);
  expect(await refusal(network, [cidr], address)).toContain(message);
});

it('refuses loopback VIPs combined with other VIPs', async () => {
  expect(await refusal(offered(), ['127.90.0.0/16', '203.0.113.0/24'])).toBe(
    'Validation failure: Loopback VIPs cannot be combined with other VIPs.',
  );
});

it('refuses a network that is unreachable without OVN', async () => {
  const datapathType = 'user';
  networks.agentsThere = [{ host: 'here', isAlive: true, datapathType, namespace: null }];
  expect(await refusal(own(), ['10.0.0.0/24'])).toContain('this cloud runs without OVN');
});
