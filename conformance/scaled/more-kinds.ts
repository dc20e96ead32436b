/** What comes and goes in a scaled cloud, besides what chaos works on. */
import type { Kind } from '../chaos/kinds.js';

export const MORE_KINDS: readonly Kind[] = [
  {
    name: 'security group',
    path: '/networking/v2.0/security-groups',
    as: 'demo',
    body: (name) => ({ security_group: { name } }),
    one: 'security_group',
    many: 'security_groups',
    listed: '/networking/v2.0/security-groups',
    isSettled: () => true,
  },
];

/** Lists of the other services. @param project whose stacks */
export function otherLists(project: string): readonly string[] {
  return [
    '/key-manager/v1/secrets',
    '/load-balancer/v2/lbaas/loadbalancers',
    '/container-infra/v1/clusters',
    `/orchestration/v1/${project}/stacks`,
  ];
}
