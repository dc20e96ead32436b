import {
  attribute,
  givenOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { nested } from '../resources/nested.js';
import { listOf, orNull } from '@cumulet/common/resources/value-type';
import { MAX_BATCH } from '../members/member-batch.js';
import {
  DESCRIPTION,
  defineResource,
  NAME,
  OF_LOAD_BALANCER,
  UNLISTED,
} from '../resources/resource.js';
import { asIds } from '../resources/values.js';
import { healthMonitorResource } from '../tree/health-monitor.resource.js';
import { memberResource } from '../tree/member.resource.js';
import { type Pool, POOL } from '../tree/pool.entity.js';

export const poolResource = defineResource({
  singular: 'pool',
  plural: 'pools',
  attributes: {
    ...NAME,
    ...DESCRIPTION,
    ...POOL,
    members: attribute(listOf(nested(memberResource), MAX_BATCH), {
      about: 'The members. Responses list their IDs.',
      default: [],
      given: 'at-creation',
      from: ({ memberIds }: Pool) => asIds(memberIds),
      ...UNLISTED,
    }),
    healthmonitor: givenOnly(orNull(nested(healthMonitorResource, ['poolId'])), {
      about: 'The health monitor.',
    }),
  },
  filters: OF_LOAD_BALANCER,
});

export type PoolAttributes = typeof poolResource.attributes;
export type NewPool = NewBody<PoolAttributes>;
export type PoolChange = ChangeBody<PoolAttributes>;
