import { quotaType } from '../quota-type.js';

export const balancerQuota = quotaType({
  name: 'OS::Octavia::Quota',
  since: '14.0.0',
  service: 'loadBalancer',
  collection: '/v2.0/lbaas/quotas',
  entity: 'quota',
  limits: {
    healthmonitor: { about: 'Health monitors' },
    listener: { about: 'Listeners' },
    loadbalancer: { about: 'Load balancers' },
    pool: { about: 'Pools' },
    member: { about: 'Members of pools' },
  },
});
