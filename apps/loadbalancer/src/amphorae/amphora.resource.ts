/**
 * An instance as Octavia shows its amphorae, which are servers: what only a server has is null.
 * Public source: octavia, `api/v2/types/amphora.py`.
 */
import { shownOnly } from '@cumulet/common/resources/attribute';
import { flag, integer, oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import type { Filter } from '@cumulet/common/resources/resource';
import { oneOf as isOneOf, type Condition } from '@cumulet/common/tables/condition';
import { defineBareResource, ofLoadBalancer } from '../resources/resource.js';
import { time, timeOrNull } from '../resources/values.js';
import { OF_OTHERS } from '../tree/instance.entity.js';

/** Of servers alone. */
const noValue = {
  sort: false,
  from: () => null,
  filter: (): Condition => () => 'false',
} as const;

/** What is its load balancer's, or its host's. */
const ofOthers = (property: keyof typeof OF_OTHERS) => {
  const filter: Filter = (values) => isOneOf({ sql: OF_OTHERS[property] }, values);
  return { property, filter, sort: false } as const;
};

export const amphoraResource = defineBareResource({
  singular: 'amphora',
  plural: 'amphorae',
  attributes: {
    id: shownOnly(uuid, { about: 'Its id, which changes with each failover.' }),
    loadbalancerId: shownOnly(uuid, {
      about: 'The load balancer that it runs.',
      property: 'loadBalancerId',
    }),
    computeId: shownOnly(orNull(uuid), { about: 'Null: it is no server.', ...noValue }),
    lbNetworkIp: shownOnly(orNull(text()), {
      about: 'Null: it is told what to do on its host.',
      ...noValue,
    }),
    vrrpIp: shownOnly(orNull(text()), {
      about: 'Null: it has no address but the VIP.',
      ...noValue,
    }),
    haIp: shownOnly(orNull(text()), { about: 'The VIP.', ...ofOthers('vipAddress') }),
    vrrpPortId: shownOnly(orNull(uuid), {
      about: 'Null: it has no port but that of the VIP.',
      ...noValue,
    }),
    haPortId: shownOnly(orNull(uuid), {
      about: 'The port of the VIP.',
      ...ofOthers('vipPortId'),
    }),
    certExpiration: shownOnly(timeOrNull, {
      about: 'Null: it has no certificate of its own.',
      ...noValue,
    }),
    certBusy: shownOnly(flag, {
      about: 'Whether its own certificate is being replaced: never.',
      ...noValue,
      filter: (values) => (bind) => `${bind(values.some((one) => /^false$/i.test(one)))}::boolean`,
      from: () => false,
    }),
    role: shownOnly(oneOf(['STANDALONE']), {
      about: 'It is the only one of its load balancer.',
      filter: (values) => (bind) => `${bind(values.includes('STANDALONE'))}::boolean`,
      sort: false,
      from: () => 'STANDALONE',
    }),
    status: shownOnly(oneOf(['ALLOCATED', 'ERROR', 'PENDING_DELETE']), {
      about: 'ERROR where its host is dead, or its load balancer could not be made to run.',
      ...ofOthers('status'),
    }),
    vrrpInterface: shownOnly(orNull(text()), { about: 'Null.', ...noValue }),
    vrrpId: shownOnly(orNull(integer(0, 255)), { about: 'Null.', ...noValue }),
    vrrpPriority: shownOnly(orNull(integer(0, 255)), { about: 'Null.', ...noValue }),
    cachedZone: shownOnly(orNull(text()), {
      about: 'Where its host is.',
      ...ofOthers('zone'),
    }),
    createdAt: shownOnly(time, { about: 'When it was made.' }),
    updatedAt: shownOnly(time, { about: 'When it was last told what to do.' }),
    imageId: shownOnly(orNull(uuid), { about: 'Null: it is no server.', ...noValue }),
    computeFlavor: shownOnly(orNull(text()), { about: 'Null: it is no server.', ...noValue }),
    host: shownOnly(text(), { about: 'The host that it is on.' }),
  },
  filters: {
    load_balancer_id: ofLoadBalancer,
    project_id: ofOthers('projectId').filter,
  },
});
