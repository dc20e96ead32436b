/** What Octavia's resources have in common. */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { resourcesBy, TAG_FILTERS, type Filter } from '@cumulet/common/resources/resource';
import { oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf } from '@cumulet/common/tables/condition';
import {
  OPERATING_STATUSES,
  PROVISIONING_STATUSES,
  enabled,
  tags,
  time,
  timeOrNull,
  withDefault,
} from './values.js';

/** Of what lists are neither filtered nor sorted by. */
export const UNLISTED = { filter: false, sort: false } as const;

export const ID = { id: shownOnly(uuid, { about: 'The ID.', column: { primary: true } }) };

const projectId = { about: 'The project whose it is.', given: 'at-creation' } as const;

/** What a load balancer and each of its parts has. Public source: octavia, `api/v2/types`. */
const STANDARD = {
  ...ID,
  projectId: attribute(orNull(text(36)), projectId),
  tenantId: attribute(orNull(text(36)), { ...projectId, property: 'projectId' }),
  adminStateUp: attribute(enabled, { about: 'Whether it takes part.', default: true }),
  provisioningStatus: shownOnly(oneOf(PROVISIONING_STATUSES), {
    about: 'PENDING_… until what was asked for has been applied.',
  }),
  operatingStatus: shownOnly(oneOf(OPERATING_STATUSES), { about: 'What is seen of it.' }),
  createdAt: shownOnly(time, { about: 'When it was created.' }),
  updatedAt: shownOnly(timeOrNull, {
    about: 'When it last changed, or its status did; null while it is new.',
  }),
  tags: withDefault(tags, [], {
    about: 'Words that its owner has given it.',
    ...UNLISTED,
  }),
};

/** Of those that have a name. */
export const NAME = {
  name: withDefault(text(), '', { about: 'What its owner calls it.' }),
};

export const DESCRIPTION = {
  description: withDefault(text(), '', { about: 'What it is for.' }),
};

export const ofLoadBalancer: Filter = (values) =>
  isOneOf(
    'loadBalancerId',
    values.map((one) => uuid.fromText(one)).filter((one) => one !== undefined),
  );

/** Clients ask for the parts of a load balancer by either. */
export const OF_LOAD_BALANCER = {
  loadbalancer_id: ofLoadBalancer,
  load_balancer_id: ofLoadBalancer,
};

const convention = {
  filters: TAG_FILTERS,
  /** `2026-11-23T02:30:00` */
  writeTime: (moment: Date): string => moment.toISOString().replace(/\.\d+Z$/, ''),
};

/** A load balancer, or a part of one. */
export const defineResource = resourcesBy({ ...convention, attributes: STANDARD });

/** One with no other attributes than its own. */
export const defineBareResource = resourcesBy({ ...convention, filters: {}, attributes: {} });
