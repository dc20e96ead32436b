import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusalOf, startNetwork, type NetworkFixture } from '../network.fixture.js';

let network: NetworkFixture;

beforeAll(async () => {
  network = await startNetwork();
});
afterAll(() => network.stop());

const PROVIDER = { service_type: 'L3_ROUTER_NAT', name: 'simulated', default: true };

describe('service providers', () => {
  it('are those of the offered service types', async () => {
    expect(await network.list('service-providers', network.reader)).toEqual([PROVIDER]);
  });

  it('are filtered by their attributes', async () => {
    const found = (query: string) => network.list(`service-providers?${query}`);
    expect(await found('service_type=L3_ROUTER_NAT&name=odd&name=simulated')).toEqual([PROVIDER]);
    expect(await found('service_type=LOADBALANCER')).toEqual([]);
    expect(await found('default=False')).toEqual([]);
    expect(await found('fields=name')).toEqual([{ name: 'simulated' }]);
  });

  it.each(['odd=1', 'default=perhaps', 'sort_key=odd&sort_dir=asc', 'limit=some'])(
    'cannot be filtered by %s',
    async (query) => {
      const token = network.reader;
      const answer = await network.client.get(`/v2.0/service-providers?${query}`, { token });
      expect(refusalOf(answer)).toEqual([400, 'HTTPBadRequest']);
    },
  );
});

describe('operations of Neutron that this service does not offer', () => {
  it.each([
    'bgp-peers',
    'bgp-speakers',
    'bgpvpn/bgpvpns',
    'flavors',
    'fwaas/firewall_groups',
    'lbaas/loadbalancers',
    'local_ips',
    'log/loggable-resources',
    'log/logs',
    'metering/metering-label-rules',
    'metering/metering-labels',
    'ndp_proxies',
    'network_segment_ranges',
    'networks/one/dhcp-agents',
    'routers/one/l3-agents',
    'service_profiles',
    'sfc/flow_classifiers',
    'sfc/port_chains',
    'sfc/service_graphs',
    'taas/tap_flows/one',
    'taas/tap_mirrors',
    'vpn/ikepolicies',
  ])('%s is refused by name', async (path) => {
    const answer = await network.client.get(`/v2.0/${path}`, { token: network.reader });
    expect(refusalOf(answer)).toEqual([501, 'HTTPNotImplemented']);
  });
});
