import { attribute, type ChangeBody, type NewBody } from '@cumulet/common/resources/attribute';
import { nested } from '../resources/nested.js';
import { listOf } from '@cumulet/common/resources/value-type';
import { listenerResource, nestedPool } from '../listeners/listener.resource.js';
import { defineResource, DESCRIPTION, NAME, UNLISTED } from '../resources/resource.js';
import { asIds } from '../resources/values.js';
import { LOAD_BALANCER, type LoadBalancer } from '../tree/load-balancer.entity.js';

const nestedListener = nested(listenerResource, ['loadbalancerId', 'projectId', 'tenantId']);

const parts = { default: [], given: 'at-creation', ...UNLISTED } as const;

export const loadBalancerResource = defineResource({
  singular: 'loadbalancer',
  plural: 'loadbalancers',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    ...LOAD_BALANCER,
    listeners: attribute(listOf(nestedListener), {
      about:
        'The listeners. Responses list their IDs, or all of their attributes if they were created in the same request.',
      from: ({ listenerIds }: LoadBalancer) => asIds(listenerIds),
      ...parts,
    }),
    pools: attribute(listOf(nestedPool), {
      about:
        'The pools. Responses list their IDs, or all of their attributes if they were created in the same request.',
      from: ({ poolIds }: LoadBalancer) => asIds(poolIds),
      ...parts,
    }),
  },
});

export type LoadBalancerAttributes = typeof loadBalancerResource.attributes;
export type NewLoadBalancer = NewBody<LoadBalancerAttributes>;
export type LoadBalancerChange = ChangeBody<LoadBalancerAttributes>;
