/** Public source: octavia, `api/v2/types/l7policy.py`; Load Balancer API v2 reference, "L7 Policies". */
import { Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { MAX_INTEGER } from '@cumulet/common/resources/resource';
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
import { OctaviaTable } from '../resources/octavia-table.js';
import { Listener } from './listener.entity.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { idsOf, PartColumns } from './tree.columns.js';

export const ACTIONS = [
  'REDIRECT_TO_POOL',
  'REDIRECT_TO_URL',
  'REDIRECT_PREFIX',
  'REJECT',
] as const;
export type Action = (typeof ACTIONS)[number];

export const REDIRECT_CODES = [301, 302, 303, 307, 308] as const;

/** The position behind all others. */
export const LAST = MAX_INTEGER;

const AUTHORITY = String.raw`(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?`;
const REST = String.raw`(?:[/?](?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?`;
const URL_PATTERN = new RegExp(`^https?://${AUTHORITY}${REST}$`, 'i');

const anyText = text();

/**
 * It goes into a header and a proxy's configuration as it is: a URL of RFC 3986 without what ends a
 * word or a line there, or is never sent (a fragment). Public source: octavia, `common/validate.py`,
 * `url`.
 */
export const redirectUrl: ValueType<string> = valueType(String, (value) => {
  const url = anyText.read(value);
  if (!URL_PATTERN.test(url) || !URL.canParse(url))
    throw new Refusal(`'${shortened(url)}' is not a valid URL`);
  return url;
});

export const L7_POLICY = {
  action: attribute(oneOf(ACTIONS), {
    about: 'The action for requests that match all rules.',
    required: true,
  }),
  listenerId: attribute(uuid, {
    about: 'The ID of the listener.',
    required: true,
    given: 'at-creation',
  }),
  redirectPoolId: attribute(orNull(uuid), { about: 'The ID of the pool of REDIRECT_TO_POOL.' }),
  redirectUrl: attribute(orNull(redirectUrl), { about: 'The URL of REDIRECT_TO_URL.' }),
  redirectPrefix: attribute(orNull(redirectUrl), {
    about: 'The URL of REDIRECT_PREFIX, to which the path is appended.',
  }),
  redirectHttpCode: attribute(orNull(oneOf(REDIRECT_CODES)), {
    about: 'The status of a redirection to a URL; 302 by default.',
  }),
  position: attribute(orNull(integer(1, LAST)), {
    about: "The position among the listener's policies, from 1; last by default.",
    default: LAST,
    column: { default: undefined, nullable: false },
  }),
};

@Entity('l7_policies')
@Index('l7_policies_project_idx', ['projectId', 'createdAt', 'id'])
@Index('l7_policies_load_balancer_idx', ['loadBalancerId'])
@Index('l7_policies_listener_idx', ['listenerId', 'position'])
@Index('l7_policies_redirect_pool_idx', ['redirectPoolId'])
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'l7_policies_load_balancer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Listener, ['listenerId'], ['id'], {
  name: 'l7_policies_listener_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Pool, ['redirectPoolId'], ['id'], {
  name: 'l7_policies_redirect_pool_fkey',
  onDelete: 'SET NULL',
})
export class L7Policy extends rowOf(L7_POLICY, PartColumns) {
  /** Without gaps among those of its listener. */
  declare position: number;

  @VirtualColumn('uuid', { query: (table) => idsOf('l7_rules', `l7_policy_id = ${table}.id`) })
  ruleIds: string[];
}

export const l7Policies = new OctaviaTable(L7Policy, 'L7Policy');
