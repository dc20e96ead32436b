import { expect, it } from '@jest/globals';
import {
  checkLabels,
  InvalidLabelError,
  isOn,
  UnknownLabelError,
  UnsupportedLabelError,
} from './known-labels.js';

it.each<[string, string]>([
  ['kube_tag', 'v1.35.4'],
  ['kube_tag', '1.35.4'],
  ['node_bootstrap', 'k3s'],
  ['flannel_network_cidr', '10.100.0.0/16'],
  ['service_cluster_ip_range', '172.24.0.0/16'],
  ['min_node_count', '0'],
  ['max_node_count', '0'],
  ['fixed_subnet_cidr', '10.20.0.0/24'],
  ['fixed_subnet_cidr', '192.168.7.32/28'],
  ['kubelet_options', ''],
  ['kube_dashboard_version', 'v2.0.0'],
  ['calico_ipv4pool_ipip', 'Off'],
  ['octavia_ingress_controller_tag', 'v1.18.0'],
  ['prometheus_adapter_enabled', 'false'],
  ['boot_volume_size', '0'],
  ['master_lb_allowed_cidrs', '192.0.2.0/24, 198.51.100.7/32'],
  ['auto_healing_enabled', 'True'],
  ['kube_dashboard_enabled', 'false'],
  ['ingress_controller', ''],
  ['nodes_affinity_policy', 'soft-anti-affinity'],
  ["the client's own", 'whatever'],
  ['constructor', 'whatever'],
])('%s may be %p', (label, value) => {
  expect(() => checkLabels({ [label]: value })).not.toThrow();
});

it.each<[string, string, string]>([
  ['kube_tag', 'latest', 'must be a version of Kubernetes'],
  ['node_bootstrap', 'kubespray', 'must be one of cumulet, k3s, kubeadm'],
  ['flannel_network_cidr', '10.100.0.0', 'must be a private IPv4 network'],
  ['flannel_network_cidr', '8.8.0.0/16', 'must be a private IPv4 network'],
  ['flannel_network_cidr', '10.0.0.0/7', 'of 8 to 24 bits'],
  ['calico_ipv4pool', '10.0.0.0/28', 'of 8 to 24 bits'],
  ['min_node_count', '-1', 'must be a whole number from 0 to 1000'],
  ['max_node_count', '1001', 'must be a whole number from 0 to 1000'],
  ['fixed_subnet_cidr', '10.20.0.1/24', 'by its first address'],
  ['fixed_subnet_cidr', '10.20.0.0/29', 'of 8 to 28 bits'],
  ['fixed_subnet_cidr', '8.8.8.0/24', 'a private IPv4 network'],
  ['fixed_subnet_cidr', '', 'a private IPv4 network'],
  ['max_node_count', '1e3', 'must be a whole number'],
  ['master_lb_allowed_cidrs', '192.0.2.0/33', 'must be IPv4 networks'],
  ['auto_healing_enabled', 'maybe', 'must be true or false'],
  ['octavia_provider', 'a b', 'must be a name'],
  ['availability_zone', '', 'must be a name'],
  ['flannel_backend', 'vxlan', 'must be one of host-gw'],
])('%s may not be %p', (label, value, words) => {
  const check = (): void => checkLabels({ [label]: value });
  expect(check).toThrow(InvalidLabelError);
  expect(check).toThrow(words);
});

it.each<[string, string]>([
  ['kube_dashboard_enabled', 'true'],
  ['monitoring_enabled', 'YES'],
  ['boot_volume_size', '10'],
  ['etcd_volume_size', '1'],
  ['cinder_csi_enabled', '1'],
  ['network_policy_enabled', 'true'],
  ['heapster_enabled', 'true'],
  ['prometheus_adapter_enabled', 'true'],
  ['kubelet_options', '--v=4'],
  ['kubeapi_options', '--v=4'],
  ['kubecontroller_options', '--v=4'],
  ['kubescheduler_options', '--v=4'],
  ['kubeproxy_options', '--v=4'],
  ['admission_control_list', 'NodeRestriction'],
])('%s with %p is refused with why it is not to be had', (label, value) => {
  const check = (): void => checkLabels({ [label]: value });
  expect(check).toThrow(UnsupportedLabelError);
  expect(check).toThrow(`The label ${label} with '${value}' is not supported: `);
});

it.each([
  'kube_tga',
  'flannel_network',
  'octavia_',
  'auto_healing_on',
  'kube_colour',
  'etcd_size',
  'fixed_subnet_cidir',
])('a name that begins as those do that count is a mistake: %s', (label) => {
  expect(() => checkLabels({ [label]: 'x' })).toThrow(UnknownLabelError);
});

it('suggests known labels', () => {
  expect(() => checkLabels({ boot_volume_siez: '1' })).toThrow(
    "There is no label 'boot_volume_siez'; those that begin so are boot_volume_size, boot_volume_type.",
  );
});

it('is on by its value, or by default if absent', () => {
  expect(['true', 'True', '1', 'on'].map((value) => isOn({ a: value }, 'a', false))).toEqual(
    Array(4).fill(true),
  );
  expect(['false', '0', 'off', ''].map((value) => isOn({ a: value }, 'a', true))).toEqual(
    Array(4).fill(false),
  );
  expect([isOn({}, 'a', true), isOn({}, 'a', false)]).toEqual([true, false]);
});
