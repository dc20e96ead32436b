/** The settings of the network service, read from the environment once. */
import { isIP } from 'node:net';
import {
  choice,
  integer,
  optional,
  setting,
  text,
  url,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { hostSettings, ovnAddress } from './agent/agent.config.js';

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
  quotaSubnetpools: quota('SUBNETPOOLS', 'Subnet pools', 1_000),
  quotaAddressGroups: quota('ADDRESS_GROUPS', 'Address groups', 1_000),
  quotaAddressScopes: quota('ADDRESS_SCOPES', 'Address scopes', 1_000),
  quotaSecurityGroups: quota('SECURITY_GROUPS', 'Security groups', 10),
  quotaSecurityGroupRules: quota('SECURITY_GROUP_RULES', 'Rules of security groups', 100),
  quotaFloatingIps: quota('FLOATING_IPS', 'Floating IPs', 50),
  quotaRbacPolicies: quota('RBAC_POLICIES', 'RBAC policies', 10),
  quotaRouters: quota('ROUTERS', 'Routers', 10),
  quotaTrunks: quota('TRUNKS', 'Trunks', -1),
  dataPlane: choice('NETWORK_DATA_PLANE', ['auto', 'ovn', 'user', 'simulated'], {
    about:
      "What carries packets: an OVN of its own where it can run, else guests' own QEMUs (auto), OVN or nothing, guests' own QEMUs, or a simulation.",
    default: 'auto',
  }),
  searchPath: text('PATH', { about: 'Folders that QEMU is looked for in.', default: '/usr/bin' }),
  mtu: integer('NETWORK_MTU', {
    about:
      'Bytes that a packet of a project network may have: those of the hosts, less the tunnel.',
    default: 1442,
    min: 68,
    max: 65_535,
  }),
  ...hostSettings,
  ovnNorthbound: optional(
    ovnAddress('NETWORK_OVN_NORTHBOUND', {
      about:
        "An OVN that runs already, by its northbound database, as tcp:192.0.2.10:6641; unset: one of the service's own.",
    }),
  ),
  ovnSouthbound: optional(
    ovnAddress('NETWORK_OVN_SOUTHBOUND', {
      about: 'The southbound database of the OVN that runs already; required with the other.',
    }),
  ),
  ovnListen: optional(
    setting(
      'NETWORK_OVN_LISTEN',
      'an IP address',
      {
        about:
          "Address at which other hosts reach the databases of the service's own OVN, on ports 6641 and 6642; unset: there are none.",
      },
      (value) => (isIP(value) > 0 ? value : undefined),
    ),
  ),
};

export type NetworkConfig = Values<typeof networkSettings>;
