/** Quotas of projects, by resource. Public source: neutron, `conf/quota.py`. */
import { Inject, Injectable } from '@nestjs/common';
import { defineQuotas } from '@cumulet/common/quotas/define-quotas';
import { Quotas } from '@cumulet/common/quotas/quotas';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { NetworkConfig } from '../config.js';

/** Rows that are being removed do not count. */
const count = (table: string, present = 'true') => ({
  as: 'count(*)',
  in: `${table} WHERE project_id = $1 AND ${present}`,
});

const PRESENT = "state <> 'removing'";

export const NETWORK_QUOTAS = defineQuotas({
  network: {
    about: 'Networks.',
    default: ({ quotaNetworks }: NetworkConfig) => quotaNetworks,
    counted: count('networks', PRESENT),
  },
  subnet: {
    about: 'Subnets.',
    default: ({ quotaSubnets }: NetworkConfig) => quotaSubnets,
    counted: count('subnets'),
  },
  subnetpool: {
    about: 'Subnet pools.',
    default: ({ quotaSubnetpools }: NetworkConfig) => quotaSubnetpools,
    counted: count('subnetpools'),
  },
  address_group: {
    about: 'Address groups.',
    default: ({ quotaAddressGroups }: NetworkConfig) => quotaAddressGroups,
    counted: count('address_groups'),
  },
  address_scope: {
    about: 'Address scopes.',
    default: ({ quotaAddressScopes }: NetworkConfig) => quotaAddressScopes,
    counted: count('address_scopes'),
  },
  port: {
    about: 'Ports.',
    default: ({ quotaPorts }: NetworkConfig) => quotaPorts,
    counted: count('ports', PRESENT),
  },
  security_group: {
    about: 'Security groups.',
    default: ({ quotaSecurityGroups }: NetworkConfig) => quotaSecurityGroups,
    counted: count('security_groups', PRESENT),
  },
  security_group_rule: {
    about: 'Rules of security groups.',
    default: ({ quotaSecurityGroupRules }: NetworkConfig) => quotaSecurityGroupRules,
    counted: count('security_group_rules'),
  },
  router: {
    about: 'Routers.',
    default: ({ quotaRouters }: NetworkConfig) => quotaRouters,
    counted: count('routers', PRESENT),
  },
  floatingip: {
    about: 'Floating IPs.',
    default: ({ quotaFloatingIps }: NetworkConfig) => quotaFloatingIps,
    counted: count('floating_ips'),
  },
  trunk: {
    about: 'Trunks.',
    default: ({ quotaTrunks }: NetworkConfig) => quotaTrunks,
    counted: count('trunks'),
  },
  rbac_policy: {
    about: 'RBAC policies.',
    default: ({ quotaRbacPolicies }: NetworkConfig) => quotaRbacPolicies,
    counted: count('rbac_policies'),
  },
});

@Injectable()
export class NetworkQuotas extends Quotas<keyof typeof NETWORK_QUOTAS> {
  constructor(@Inject(CONFIG) config: NetworkConfig) {
    super(NETWORK_QUOTAS, config);
  }
}
