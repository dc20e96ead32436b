/** All known labels and their valid values. Public source: Magnum user guide, "Labels". */
import { isIPv4 } from 'node:net';
import { invalid } from '@cumulet/common/errors/domain-error';
import type { Labels } from './labels.js';

/** An unknown label with a prefix of known ones. */
export class UnknownLabelError extends invalid(
  (name: string, known: readonly string[]) =>
    `There is no label '${name}'; those that begin so are ${known.join(', ')}.`,
) {}

export class InvalidLabelError extends invalid(
  (name: string, value: string, must: string) =>
    `The label ${name} must be ${must}, not '${value}'.`,
) {}

/** A feature of Magnum's driver that this platform lacks. */
export class UnsupportedLabelError extends invalid(
  (name: string, value: string, why: string) =>
    `The label ${name} with '${value}' is not supported: ${why}.`,
) {}

interface LabelKind {
  /** Completes "The label … must be …". */
  readonly must: string;
  readonly isValid: (value: string) => boolean;
  /** Why a valid value is not supported; undefined if it is. */
  readonly refusal?: (value: string) => string | undefined;
}

const TRUE = ['true', 'yes', '1', 'on', 't', 'y'];
const FALSE = ['false', 'no', '0', 'off', 'f', 'n'];

const flag: LabelKind = {
  must: 'true or false',
  isValid: (value) => [...TRUE, ...FALSE].includes(value.toLowerCase()),
};

const anything: LabelKind = { must: 'a text', isValid: () => true };

const name: LabelKind = {
  must: 'a name of letters, digits, dots, dashes and underscores',
  isValid: (value) => /^[\w.-]{1,255}$/.test(value),
};

const network: LabelKind = {
  must: 'a private IPv4 network of 8 to 24 bits, such as 10.100.0.0/16',
  isValid: (value) => isPrivateNetwork(value, 24),
};

/** The network service requires the first address. */
const subnet: LabelKind = {
  must: 'a private IPv4 network of 8 to 28 bits by its first address, such as 10.0.0.0/24',
  isValid: (value) => isPrivateNetwork(value, 28) && isFirstAddress(value),
};

const version: LabelKind = {
  must: 'a version of Kubernetes, such as v1.35.4',
  isValid: (value) => /^v?\d{1,2}\.\d{1,3}\.\d{1,3}$/.test(value),
};

function among(...words: readonly string[]): LabelKind {
  return { must: `one of ${words.join(', ')}`, isValid: (value) => words.includes(value) };
}

function wholeNumber(min: number, max: number): LabelKind {
  return {
    must: `a whole number from ${min} to ${max}`,
    isValid: (value) => /^\d{1,7}$/.test(value) && Number(value) >= min && Number(value) <= max,
  };
}

/** A switch of Magnum that is unsupported unless off. */
function onlyOff(why: string): LabelKind {
  return {
    ...flag,
    refusal: (value) => (TRUE.includes(value.toLowerCase()) ? why : undefined),
  };
}

function onlyZero(why: string): LabelKind {
  return { ...wholeNumber(0, 100_000), refusal: (value) => (Number(value) > 0 ? why : undefined) };
}

/** Options that would change how nodes run, which is fixed. */
function onlyEmpty(why: string): LabelKind {
  return { ...anything, refusal: (value) => (value.trim() === '' ? undefined : why) };
}

const NO_VOLUMES = 'there is no volume service yet';
const NOT_CARRIED = 'the node image does not carry it';
const NO_ARGUMENTS = 'what runs on nodes has the arguments that the platform gives it';

const AFFINITIES = ['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity'];

export const BOOTSTRAPS = ['cumulet', 'k3s', 'kubeadm'] as const;
export type Bootstrap = (typeof BOOTSTRAPS)[number];

export const KNOWN_LABELS: Readonly<Record<string, LabelKind>> = {
  // Nodes.
  node_bootstrap: among(...BOOTSTRAPS),
  kube_tag: version,
  availability_zone: name,
  nodes_affinity_policy: among(...AFFINITIES),
  min_node_count: wholeNumber(0, 1_000),
  // 0 for no maximum.
  max_node_count: wholeNumber(0, 1_000),
  boot_volume_size: onlyZero(NO_VOLUMES),
  boot_volume_type: anything,
  etcd_volume_size: onlyZero(NO_VOLUMES),
  etcd_volume_type: anything,
  docker_volume_type: anything,
  // Addresses.
  fixed_subnet_cidr: subnet,
  flannel_network_cidr: network,
  calico_ipv4pool: network,
  service_cluster_ip_range: network,
  master_lb_floating_ip_enabled: flag,
  master_lb_allowed_cidrs: {
    must: 'IPv4 networks separated by commas',
    isValid: (value) => value.split(',').every((one) => isNetwork(one.trim())),
  },
  octavia_provider: name,
  octavia_lb_algorithm: among('ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP'),
  octavia_lb_healthcheck: flag,
  // What runs in the cluster.
  cloud_provider_enabled: flag,
  metrics_server_enabled: flag,
  network_policy_enabled: onlyOff(NOT_CARRIED),
  auto_healing_enabled: flag,
  auto_healing_controller: among('cumulet'),
  kube_dashboard_enabled: onlyOff(NOT_CARRIED),
  ingress_controller: { must: "empty or 'none'", isValid: (value) => ['', 'none'].includes(value) },
  monitoring_enabled: onlyOff(NOT_CARRIED),
  prometheus_monitoring: onlyOff(NOT_CARRIED),
  influx_grafana_dashboard_enabled: onlyOff(NOT_CARRIED),
  auto_scaling_enabled: onlyOff(NOT_CARRIED),
  npd_enabled: onlyOff(NOT_CARRIED),
  tiller_enabled: onlyOff(NOT_CARRIED),
  keystone_auth_enabled: onlyOff(NOT_CARRIED),
  cinder_csi_enabled: onlyOff(NO_VOLUMES),
  manila_csi_enabled: onlyOff('there is no service of shared file systems'),
  heapster_enabled: onlyOff(NOT_CARRIED),
  prometheus_adapter_enabled: onlyOff(NOT_CARRIED),
  cert_manager_api: flag,
  kubelet_options: onlyEmpty(NO_ARGUMENTS),
  kubeapi_options: onlyEmpty(NO_ARGUMENTS),
  kubecontroller_options: onlyEmpty(NO_ARGUMENTS),
  kubescheduler_options: onlyEmpty(NO_ARGUMENTS),
  kubeproxy_options: onlyEmpty(NO_ARGUMENTS),
  admission_control_list: onlyEmpty(NO_ARGUMENTS),
  selinux_mode: among('permissive', 'disabled'),
  // For Magnum's nodes, which fetch their software; the node image contains it.
  container_runtime: among('containerd'),
  containerd_version: anything,
  containerd_tarball_url: anything,
  containerd_tarball_sha256: anything,
  container_infra_prefix: anything,
  coredns_tag: anything,
  etcd_tag: anything,
  flannel_tag: anything,
  flannel_cni_tag: anything,
  flannel_backend: among('host-gw'),
  flannel_network_subnetlen: among('24'),
  calico_tag: anything,
  calico_ipv4pool_ipip: among('Always', 'CrossSubnet', 'Never', 'Off'),
  cloud_provider_tag: anything,
  metrics_server_chart_tag: anything,
  heat_container_agent_tag: anything,
  kube_dashboard_version: anything,
  kube_image_digest: anything,
  octavia_ingress_controller_tag: anything,
  use_podman: flag,
  cgroup_driver: among('systemd'),
};

/** Prefixes of Magnum's labels: an unknown label with one of them is a mistake. */
const PREFIXES = [
  'kube_',
  'kubelet_',
  'kubeapi_',
  'fixed_subnet_',
  'etcd_',
  'flannel_',
  'calico_',
  'auto_healing_',
  'auto_scaling_',
  'master_lb_',
  'octavia_',
  'cloud_provider_',
  'boot_volume_',
  'docker_volume_',
  'containerd_',
  'metrics_server_',
  'network_policy_',
  'node_bootstrap',
  'nodes_affinity_',
];

/**
 * Other labels belong to the client, and have no effect.
 * @throws UnknownLabelError, InvalidLabelError or UnsupportedLabelError, for the first invalid
 * label
 */
export function checkLabels(labels: Labels): void {
  for (const [label, value] of Object.entries(labels)) {
    const kind = Object.hasOwn(KNOWN_LABELS, label) ? KNOWN_LABELS[label] : undefined;
    if (!kind) {
      refuseIfMeant(label);
      continue;
    }
    if (!kind.isValid(value)) throw new InvalidLabelError(label, value, kind.must);
    const refusal = kind.refusal?.(value);
    if (refusal !== undefined) throw new UnsupportedLabelError(label, value, refusal);
  }
}

function refuseIfMeant(label: string): void {
  const prefix = PREFIXES.find((one) => label.startsWith(one));
  if (prefix === undefined) return;
  const known = Object.keys(KNOWN_LABELS).filter((one) => one.startsWith(prefix));
  throw new UnknownLabelError(label, known);
}

/** @param fallback for an absent label */
export function isOn(labels: Labels, label: string, fallback: boolean): boolean {
  const value = labels[label];
  return value === undefined ? fallback : TRUE.includes(value.toLowerCase());
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  return rest.length === 0 && isIPv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}

function isPrivateNetwork(text: string, maxBits: number): boolean {
  if (!isNetwork(text)) return false;
  const [address = '', bits = ''] = text.split('/');
  const [first = 0, second = 0] = address.split('.').map(Number);
  const isPrivate =
    first === 10 ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168) ||
    (first === 100 && second >= 64 && second < 128);
  return isPrivate && Number(bits) >= 8 && Number(bits) <= maxBits;
}

function isFirstAddress(text: string): boolean {
  const [address = '', bits = ''] = text.split('/');
  const whole = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return whole % 2 ** (32 - Number(bits)) === 0;
}
