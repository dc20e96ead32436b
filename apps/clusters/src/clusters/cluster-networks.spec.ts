import { expect, it } from '@jest/globals';
import { addonsOf, networksOf, overlapIn } from './cluster-networks.js';

it('has default networks', () => {
  expect(networksOf({})).toEqual({
    podCidr: '10.100.0.0/16',
    serviceCidr: '10.254.0.0/16',
    nodeCidr: '10.0.0.0/24',
    dnsIp: '10.254.0.10',
    kubernetesIp: '10.254.0.1',
  });
});

it.each([
  ['flannel_network_cidr', '10.42.0.0/16'],
  ['calico_ipv4pool', '192.168.0.0/16'],
])('takes the network of pods from %s', (label, podCidr) => {
  expect(networksOf({ [label]: podCidr }).podCidr).toBe(podCidr);
});

it.each([
  ['172.30.0.0/16', '172.30.0.1', '172.30.0.10'],
  // Some clients write an address within the network.
  ['192.168.5.77/24', '192.168.5.1', '192.168.5.10'],
])('counts within %s', (range, kubernetesIp, dnsIp) => {
  expect(networksOf({ service_cluster_ip_range: range })).toMatchObject({ kubernetesIp, dnsIp });
});

it('has add-ons by its labels', () => {
  expect(addonsOf({})).toEqual({
    coredns: true,
    metrics_server: true,
    cloud_provider: true,
    network_policy: false,
  });
  const labels = { cloud_provider_enabled: 'false', network_policy_enabled: 'true' };
  expect(addonsOf(labels)).toMatchObject({ cloud_provider: false, network_policy: true });
});

it.each<[object, boolean, string | undefined]>([
  [{}, true, undefined],
  [{ flannel_network_cidr: '10.254.128.0/17' }, false, 'pods (10.254.128.0/17) and of services'],
  [{ flannel_network_cidr: '10.0.0.0/16' }, true, 'pods (10.0.0.0/16) and of nodes (10.0.0.0/24)'],
  [{ flannel_network_cidr: '10.0.0.0/16' }, false, undefined],
  [{ fixed_subnet_cidr: '10.100.3.0/24' }, true, 'of nodes (10.100.3.0/24) overlap.'],
  // Without effect if the nodes are on an existing subnet.
  [{ fixed_subnet_cidr: '10.100.3.0/24' }, false, undefined],
  [{ fixed_subnet_cidr: '10.9.0.0/24', flannel_network_cidr: '10.0.0.0/16' }, true, undefined],
  [{ service_cluster_ip_range: '10.0.0.0/8' }, false, 'and of services (10.0.0.0/8) overlap.'],
])('with %p, nodes on a network of its own: %p', (labels, isOwn, words) => {
  const overlap = overlapIn(labels as Record<string, string>, isOwn);
  if (words === undefined) expect(overlap).toBeUndefined();
  else expect(overlap).toContain(words);
});
