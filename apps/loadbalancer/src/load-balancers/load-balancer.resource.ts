/** Public source: octavia, `api/v2/types/load_balancer.py`; Load Balancer API v2 reference. */
import {
  attribute,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { nested } from '@cumulet/common/resources/nested';
import { listOf, objectOf, oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf } from '@cumulet/common/tables/condition';
import { listenerResource, nestedPool } from '../listeners/listener.resource.js';
import { defineResource, DESCRIPTION, NAME, UNLISTED } from '../resources/resource.js';
import {
  asIds,
  ipAddress,
  orDefault,
  withDefault,
  PROVISIONING_STATUSES,
} from '../resources/values.js';
import type { LoadBalancer } from '../tree/load-balancer.entity.js';

const once = { given: 'at-creation' } as const;

export interface AskedAddress {
  readonly subnet_id: string;
  readonly ip_address?: string | null;
  readonly port_id?: string | null;
}

const additionalVip = objectOf<AskedAddress>(
  { subnet_id: uuid, ip_address: orNull(ipAddress), port_id: orNull(uuid) },
  ['ip_address', 'port_id'],
);

const nestedListener = nested(listenerResource, ['loadbalancerId', 'projectId', 'tenantId']);

export const loadBalancerResource = defineResource({
  singular: 'loadbalancer',
  plural: 'loadbalancers',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    provisioningStatus: shownOnly(oneOf(PROVISIONING_STATUSES), {
      about: 'PENDING_… until what was asked for has been applied, to it or to a part of it.',
      property: 'state',
      from: ({ state }: LoadBalancer) => state.toUpperCase(),
      filter: (values) =>
        isOneOf(
          'state',
          values.map((one) => one.toLowerCase()),
        ),
    }),
    provisioningStatusReason: shownOnly(orNull(text(1000)), {
      about: 'Why it is in ERROR, or what it waits for.',
      property: 'stateReason',
      ...UNLISTED,
    }),
    vipAddress: attribute(orNull(ipAddress), { about: 'Where its clients reach it.', ...once }),
    vipPortId: attribute(orNull(uuid), { about: 'The port that has the address.', ...once }),
    vipSubnetId: attribute(orNull(uuid), { about: 'The subnet of the address.', ...once }),
    vipNetworkId: attribute(orNull(uuid), { about: 'The network of the address.', ...once }),
    vipQosPolicyId: attribute(orNull(uuid), { about: 'What limits the traffic of its port.' }),
    vipVnicType: shownOnly(text(), { about: 'How its port is plugged in.' }),
    vipSgIds: withDefault(listOf(uuid), [], {
      about: 'Security groups of its port; without any, it has one that lets in its listeners.',
      ...UNLISTED,
    }),
    additionalVips: attribute(orDefault(listOf(additionalVip, 16), []), {
      about: 'Further addresses, on other subnets of the same network.',
      default: [],
      from: ({ additionalVips, vipPortId }: LoadBalancer) =>
        additionalVips.map((one) => ({ ...one, port_id: vipPortId })),
      ...once,
      ...UNLISTED,
    }),
    provider: attribute(orNull(text(64)), { about: 'What runs it.', ...once }),
    flavorId: attribute(orNull(uuid), { about: 'What it may have.', ...once }),
    availabilityZone: attribute(orNull(text()), { about: 'Where it runs.', ...once }),
    listeners: attribute(listOf(nestedListener), {
      about: 'Its listeners; in answers, their ids, and all of them where they are new with it.',
      default: [],
      from: ({ listenerIds }: LoadBalancer) => asIds(listenerIds),
      ...once,
      ...UNLISTED,
    }),
    pools: attribute(listOf(nestedPool), {
      about: 'Its pools; in answers, their ids, and all of them where they are new with it.',
      default: [],
      from: ({ poolIds }: LoadBalancer) => asIds(poolIds),
      ...once,
      ...UNLISTED,
    }),
  },
});

export type LoadBalancerAttributes = typeof loadBalancerResource.attributes;
export type NewLoadBalancer = NewBody<LoadBalancerAttributes>;
export type LoadBalancerChange = ChangeBody<LoadBalancerAttributes>;
