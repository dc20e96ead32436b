import { integer, optional, url, type Values } from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { dataPlaneSettings } from './data-plane/data-plane.config.js';

const quota = (name: string, what: string, limit: number) =>
  integer(`NETWORK_QUOTA_${name}`, {
    about: `${what} that a project may have; -1 means unlimited.`,
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
        "Address of the compute service, without /v2.1, which is notified about its servers' ports; unset if there is none.",
    }),
  ),
  quotaNetworks: quota('NETWORKS', 'Networks', 100),
  quotaSubnets: quota('SUBNETS', 'Subnets', 100),
  quotaPorts: quota('PORTS', 'Ports', 500),
  quotaSubnetpools: quota('SUBNETPOOLS', 'Subnet pools', 1_000),
  quotaAddressGroups: quota('ADDRESS_GROUPS', 'Address groups', 1_000),
  quotaAddressScopes: quota('ADDRESS_SCOPES', 'Address scopes', 1_000),
  quotaSecurityGroups: quota('SECURITY_GROUPS', 'Security groups', 10),
  quotaSecurityGroupRules: quota('SECURITY_GROUP_RULES', 'Security group rules', 100),
  quotaFloatingIps: quota('FLOATING_IPS', 'Floating IPs', 50),
  quotaRbacPolicies: quota('RBAC_POLICIES', 'RBAC policies', 10),
  quotaRouters: quota('ROUTERS', 'Routers', 10),
  quotaTrunks: quota('TRUNKS', 'Trunks', -1),
  ...dataPlaneSettings,
};

export type NetworkConfig = Values<typeof networkSettings>;
