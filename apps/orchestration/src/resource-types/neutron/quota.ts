import { quotaType } from '../quota-type.js';

export const networkQuota = quotaType({
  name: 'OS::Neutron::Quota',
  service: 'network',
  collection: '/v2.0/quotas',
  entity: 'quota',
  limits: {
    subnet: { about: 'Subnets' },
    network: { about: 'Networks' },
    floatingip: { about: 'Floating IPs' },
    security_group_rule: { about: 'Rules of security groups' },
    security_group: { about: 'Security groups' },
    router: { about: 'Routers' },
    port: { about: 'Ports' },
    subnetpool: { about: 'Subnet pools', since: '12.0.0' },
    rbac_policy: { about: 'RBAC policies', since: '12.0.0' },
  },
});
