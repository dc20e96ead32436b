/** The settings of the network service, read from the environment once. */
import { hostname } from 'node:os';
import {
  choice,
  folder,
  integer,
  optional,
  setting,
  text,
  url,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { parseUplinkAddresses } from './data-plane/ovn/host/uplink-addresses.js';

const quota = (name: string, what: string, limit: number) =>
  integer(`NETWORK_QUOTA_${name}`, {
    about: `${what} that a project may have; -1 is without limit.`,
    default: limit,
    min: -1,
    max: 1_000_000_000,
  });

export const networkSettings = {
  ...serviceSettings('NETWORK', 9696),
  ...identitySettings(),
  computeUrl: optional(
    url('CUMULET_COMPUTE_URL', {
      about:
        "The compute service's address, without /v2.1, which is told of its servers' ports; unset: there is none.",
    }),
  ),
  quotaNetworks: quota('NETWORKS', 'Networks', 100),
  quotaSubnets: quota('SUBNETS', 'Subnets', 100),
  quotaPorts: quota('PORTS', 'Ports', 500),
  quotaSubnetpools: quota('SUBNETPOOLS', 'Subnet pools', -1),
  quotaSecurityGroups: quota('SECURITY_GROUPS', 'Security groups', 10),
  quotaSecurityGroupRules: quota('SECURITY_GROUP_RULES', 'Rules of security groups', 100),
  quotaFloatingIps: quota('FLOATING_IPS', 'Floating IPs', 50),
  quotaRbacPolicies: quota('RBAC_POLICIES', 'RBAC policies', 10),
  quotaRouters: quota('ROUTERS', 'Routers', 10),
  dataPlane: choice('NETWORK_DATA_PLANE', ['auto', 'ovn', 'user', 'simulated'], {
    about:
      "What carries packets: an OVN of its own where it can run, else guests' own QEMUs (auto), OVN or nothing, guests' own QEMUs, or a simulation.",
    default: 'auto',
  }),
  dataDir: folder('NETWORK_DATA_DIR', {
    about: "Folder of what the data plane keeps, such as OVN's databases; each host has its own.",
    default: '/var/lib/cumulet/network',
    folder: 'network',
  }),
  host: text('CUMULET_HOST', {
    about: 'Name of this hypervisor host; each host runs one worker of this name.',
    default: hostname(),
  }),
  searchPath: text('PATH', { about: 'Folders that QEMU is looked for in.', default: '/usr/bin' }),
  mtu: integer('NETWORK_MTU', {
    about:
      'Bytes that a packet of a project network may have: those of the hosts, less the tunnel.',
    default: 1442,
    min: 68,
    max: 65_535,
  }),
  physicalNetworks: text('NETWORK_PHYSICAL_NETWORKS', {
    about: 'Physical networks that administrators may build provider networks on, by commas.',
    default: 'public',
  }),
  uplinkAddresses: optional(
    setting(
      'NETWORK_UPLINK_ADDRESSES',
      'name=IPv4 address/prefix, separated by commas',
      {
        about:
          "The host's own addresses on physical networks, as public=172.24.4.1/24; none where it has a route to there.",
      },
      parseUplinkAddresses,
    ),
  ),
};

export type NetworkConfig = Values<typeof networkSettings>;
