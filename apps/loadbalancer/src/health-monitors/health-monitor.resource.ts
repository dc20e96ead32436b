/**
 * Public source: octavia, `api/v2/types/health_monitor.py`; Load Balancer API v2 reference, "Health
 * Monitor".
 */
import {
  attribute,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { integer, oneOf, orNull, uuid } from '@cumulet/common/resources/value-type';
import { defineResource, NAME, OF_LOAD_BALANCER, UNLISTED } from '../resources/resource.js';
import { idList, withDefault } from '../resources/values.js';
import type { HealthMonitor } from '../tree/health-monitor.entity.js';
import {
  HTTP_METHODS,
  MONITOR_TYPES,
  domainName,
  httpVersion,
  statusCodes,
  urlPath,
} from './monitor-rules.js';

/** HAProxy counts times in milliseconds, up to 24 days. */
const seconds = integer(1, 24 * 24 * 60 * 60);
const retries = integer(1, 10);

export const healthMonitorResource = defineResource({
  singular: 'healthmonitor',
  plural: 'healthmonitors',
  attributes: {
    ...NAME,
    type: attribute(oneOf(MONITOR_TYPES), {
      about: 'What is asked of members.',
      required: true,
      given: 'at-creation',
    }),
    delay: attribute(seconds, { about: 'Seconds from one check to the next.', required: true }),
    timeout: attribute(seconds, {
      about: 'Seconds that a member has to answer.',
      required: true,
    }),
    maxRetries: attribute(retries, {
      about: 'Good checks in a row that make a member good.',
      required: true,
    }),
    maxRetriesDown: withDefault(retries, 3, {
      about: 'Bad checks in a row that make a member bad.',
    }),
    httpMethod: attribute(orNull(oneOf(HTTP_METHODS)), { about: 'Of HTTP and HTTPS.' }),
    urlPath: attribute(orNull(urlPath), { about: 'Of HTTP and HTTPS: what is asked for.' }),
    expectedCodes: attribute(orNull(statusCodes), {
      about: 'Of HTTP and HTTPS, the statuses of a good answer: `200`, `200,202` or `200-204`.',
    }),
    httpVersion: attribute(orNull(httpVersion), {
      about: 'Kept with every type, used by HTTP and HTTPS.',
    }),
    domainName: attribute(orNull(domainName), {
      about: 'The host that is asked for, in HTTP 1.1; kept with every type.',
    }),
    poolId: attribute(uuid, {
      about: 'The pool whose members are checked.',
      required: true,
      given: 'at-creation',
      isHidden: true,
    }),
    pools: shownOnly(idList, {
      about: 'The pool whose members are checked, as a list of one: its id.',
      from: ({ poolId: id }: HealthMonitor) => [{ id }],
      ...UNLISTED,
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type HealthMonitorAttributes = (typeof healthMonitorResource)['attributes'];
export type NewHealthMonitor = NewBody<HealthMonitorAttributes>;
export type HealthMonitorChange = ChangeBody<HealthMonitorAttributes>;
