/** Public source: octavia, `api/v2/types/pool.py`; Load Balancer API v2 reference, "Pools". */
import {
  attribute,
  givenOnly,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { nested } from '@cumulet/common/resources/nested';
import { flag, listOf, oneOf, orNull, uuid } from '@cumulet/common/resources/value-type';
import { healthMonitorResource } from '../health-monitors/health-monitor.resource.js';
import { MAX_BATCH } from '../members/member-batch.js';
import { memberResource } from '../members/member.resource.js';
import { POOL_PROTOCOLS } from '../parts/protocols.js';
import { alpnProtocols, tlsCiphers, tlsVersions } from '../parts/tls-options.js';
import {
  DESCRIPTION,
  defineResource,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import { asIds, idList, secretRef, withDefault } from '../resources/values.js';
import type { Pool } from '../tree/pool.entity.js';
import { sessionPersistence } from './pool-rules.js';

export const ALGORITHMS = [
  'ROUND_ROBIN',
  'LEAST_CONNECTIONS',
  'SOURCE_IP',
  'SOURCE_IP_PORT',
] as const;

export const poolResource = defineResource({
  singular: 'pool',
  plural: 'pools',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    protocol: attribute(oneOf(POOL_PROTOCOLS), {
      about: 'What its members speak.',
      required: true,
      given: 'at-creation',
    }),
    lbAlgorithm: attribute(oneOf(ALGORITHMS), {
      about: 'How the next member is chosen.',
      required: true,
    }),
    sessionPersistence: attribute(sessionPersistence, {
      about: 'How a client is kept with one member; null where it is not.',
      ...UNLISTED,
    }),
    listenerId: givenOnly(orNull(uuid), {
      about: 'The listener whose default pool it becomes; it must have none.',
    }),
    loadbalancerId: givenOnly(orNull(uuid), {
      about: 'Its load balancer; needed where no listener is named.',
    }),
    loadbalancers: shownOnly(idList, {
      about: 'Its load balancer, as a list of one.',
      from: ({ loadBalancerId }: Pool) => asIds([loadBalancerId]),
      ...UNLISTED,
    }),
    listeners: shownOnly(idList, {
      about: 'The listeners that send to it.',
      from: ({ listenerIds }: Pool) => asIds(listenerIds),
      ...UNLISTED,
    }),
    members: attribute(listOf(nested(memberResource), MAX_BATCH), {
      about: 'Its members; in answers, their ids.',
      default: [],
      given: 'at-creation',
      from: ({ memberIds }: Pool) => asIds(memberIds),
      ...UNLISTED,
    }),
    healthmonitor: givenOnly(orNull(nested(healthMonitorResource, ['poolId'])), {
      about: 'Its health monitor.',
    }),
    healthmonitorId: shownOnly(orNull(uuid), {
      about: 'Its health monitor.',
      property: 'healthMonitorId',
      ...UNLISTED,
    }),
    tlsEnabled: withDefault(flag, false, { about: 'Whether members are spoken to by TLS.' }),
    tlsContainerRef: attribute(secretRef, {
      about: 'The certificate and key that members are shown.',
    }),
    caTlsContainerRef: attribute(secretRef, {
      about: "The certificate by which members' certificates are checked.",
    }),
    crlContainerRef: attribute(secretRef, {
      about: 'The list of what that authority has revoked.',
    }),
    tlsCiphers: attribute(orNull(tlsCiphers), { about: "OpenSSL's cipher string." }),
    tlsVersions: attribute(orNull(tlsVersions), { about: 'Versions of TLS.', ...UNLISTED }),
    alpnProtocols: attribute(orNull(alpnProtocols), {
      about: 'What members may speak within TLS.',
      ...UNLISTED,
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type PoolAttributes = (typeof poolResource)['attributes'];
export type NewPool = NewBody<PoolAttributes>;
export type PoolChange = ChangeBody<PoolAttributes>;
