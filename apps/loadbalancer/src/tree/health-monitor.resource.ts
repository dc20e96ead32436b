/**
 * Public source: octavia, `api/v2/types/health_monitor.py`; Load Balancer API v2 reference, "Health
 * Monitor".
 */
import { Entity, ForeignKey, Index } from 'typeorm';
import {
  attribute,
  computed,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import {
  integer,
  oneOf,
  orNull,
  Refusal,
  shortened,
  text,
  uuid,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { MONITOR_TYPES } from '../data-plane/balancer-spec.js';
import { defineResource, NAME, OF_LOAD_BALANCER, UNLISTED } from '../resources/resource.js';
import { asIds, idList, withDefault } from '../resources/values.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { PartColumns } from './tree.columns.js';

const HTTP_METHODS = [
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
] as const;

// Values reach a proxy's configuration: what could mean more there than it says is refused. Public
// source: octavia, `api/v2/types/health_monitor.py`.
const anyText = text();

function matching(pattern: RegExp, what: string): ValueType<string> {
  return valueType(String, (value) => {
    const given = anyText.read(value);
    if (!pattern.test(given)) throw new Refusal(`'${shortened(given)}' is not ${what}`);
    return given;
  });
}

/** A path with its query, as RFC 3986 has it; `//` would be a host. */
export const urlPath: ValueType<string> = matching(
  /^\/(?!\/)(?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/,
  'a valid URL path',
);

const CODES = /^(?:[1-5]\d{2}(?:\s*,\s*[1-5]\d{2})*|[1-5]\d{2}-[1-5]\d{2})$/;

/** `200`, `200,202` or `200-204`. */
export const statusCodes: ValueType<string> = valueType(String, (value) => {
  const codes = anyText.read(value);
  const [first = '', last] = codes.split('-');
  if (!CODES.test(codes) || /[\n\r]/.test(codes) || (last !== undefined && last < first))
    throw new Refusal(`'${shortened(codes)}' is not a list or a range of HTTP statuses`);
  return codes;
});

const LABEL = String.raw`(?!-)[A-Za-z0-9_-]{1,63}(?<!-)`;

export const domainName: ValueType<string> = matching(
  new RegExp(String.raw`^(?=.{1,253}\.?$)${LABEL}(?:\.${LABEL})*\.?$`),
  'a valid domain name',
);

const VERSIONS = [1.0, 1.1] as const;

/** As a number, in a body and in a query. */
export const httpVersion: ValueType<1.0 | 1.1> = {
  ...valueType<1.0 | 1.1>(
    Number,
    (value) => {
      const found = versionOf(value);
      if (found === undefined) throw new Refusal(`'${shortened(value)}' is not in [1.0,1.1]`);
      return found;
    },
    versionOf,
  ),
  column: { type: 'double precision' },
};

function versionOf(value: unknown): 1.0 | 1.1 | undefined {
  const isWord = typeof value === 'string' && /^\d\.\d$/.test(value);
  return VERSIONS.find((one) => one === (isWord ? Number(value) : value));
}

/** HAProxy counts times in milliseconds, up to 24 days. */
const seconds = integer(1, 24 * 24 * 60 * 60);
const retries = integer(1, 10);

/** Fields that the type does not have are null. */
const HEALTH_MONITOR = {
  type: attribute(oneOf(MONITOR_TYPES), {
    about: 'The type of the checks.',
    required: true,
    given: 'at-creation',
  }),
  delay: attribute(seconds, {
    about: 'The interval between checks, in seconds.',
    required: true,
  }),
  timeout: attribute(seconds, {
    about: 'How long a member may take to respond, in seconds.',
    required: true,
  }),
  maxRetries: attribute(retries, {
    about: 'The number of consecutive successful checks after which a member is ONLINE.',
    required: true,
  }),
  maxRetriesDown: withDefault(retries, 3, {
    about: 'The number of consecutive failed checks after which a member is in ERROR.',
  }),
  httpMethod: attribute(orNull(oneOf(HTTP_METHODS)), {
    about: 'The method of HTTP and HTTPS checks.',
  }),
  urlPath: attribute(orNull(urlPath), {
    about: 'The path of HTTP and HTTPS checks.',
  }),
  expectedCodes: attribute(orNull(statusCodes), {
    about: 'The statuses of a successful HTTP or HTTPS check: `200`, `200,202` or `200-204`.',
  }),
  httpVersion: attribute(orNull(httpVersion), {
    about: 'The HTTP version of HTTP and HTTPS checks; accepted with every type.',
  }),
  domainName: attribute(orNull(domainName), {
    about: 'The host name in HTTP 1.1 checks; accepted with every type.',
  }),
  poolId: attribute(uuid, {
    about: 'The ID of the pool whose members are checked.',
    required: true,
    given: 'at-creation',
    isHidden: true,
  }),
  pools: computed(idList, {
    about: 'The pool whose members are checked, as a list of one ID.',
    from: ({ poolId }: { readonly poolId: string }) => asIds([poolId]),
    ...UNLISTED,
  }),
};

@Entity('health_monitors')
@Index('health_monitors_project_idx', ['projectId', 'createdAt', 'id'])
@Index('health_monitors_load_balancer_idx', ['loadBalancerId'])
@Index('health_monitors_pool_key', { synchronize: false })
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'health_monitors_load_balancer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Pool, ['poolId'], ['id'], {
  name: 'health_monitors_pool_fkey',
  onDelete: 'CASCADE',
})
export class HealthMonitor extends rowOf(HEALTH_MONITOR, PartColumns) {}

export const healthMonitorResource = defineResource({
  singular: 'healthmonitor',
  plural: 'healthmonitors',
  attributes: { ...NAME, ...HEALTH_MONITOR },
  filters: OF_LOAD_BALANCER,
});

export type HealthMonitorAttributes = typeof healthMonitorResource.attributes;
export type NewHealthMonitor = NewBody<HealthMonitorAttributes>;
export type HealthMonitorChange = ChangeBody<HealthMonitorAttributes>;
