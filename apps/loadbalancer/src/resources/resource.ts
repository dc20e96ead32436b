/** Attributes that Octavia's resources have in common. */
import { attribute, computed, shownOnly } from '@cumulet/common/resources/attribute';
import { resourcesBy, TAG_FILTERS, type Filter } from '@cumulet/common/resources/resource';
import { oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf } from '@cumulet/common/tables/condition';
import {
  OPERATING_STATUSES,
  PROVISIONING_STATUSES,
  asIds,
  enabled,
  idList,
  tags,
  time,
  timeOrNull,
  withDefault,
} from './values.js';

/** Attributes by which lists are neither filtered nor sorted. */
export const UNLISTED = { filter: false, sort: false } as const;

export const ID = { id: shownOnly(uuid, { about: 'The ID.', column: { primary: true } }) };

const owner = {
  about: 'The ID of the project that owns it.',
  given: 'at-creation',
  column: { nullable: false },
} as const;

/** Attributes of a load balancer and of each part. Public source: octavia, `api/v2/types`. */
export const STANDARD = {
  ...ID,
  projectId: attribute(orNull(text(36)), owner),
  adminStateUp: attribute(enabled, {
    about: 'Whether it is administratively up.',
    default: true,
  }),
  operatingStatus: shownOnly(oneOf(OPERATING_STATUSES), {
    about: 'The operating status, as it is observed.',
    column: { default: 'OFFLINE' },
  }),
  createdAt: shownOnly(time, {
    about: 'When it was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(timeOrNull, {
    about: 'When it or its status last changed; null until the first change.',
  }),
  tags: withDefault(tags, [], { about: 'The tags.', ...UNLISTED }),
};

/** Of parts only; a load balancer's follows from its state. */
export const OF_PARTS = {
  provisioningStatus: shownOnly(oneOf(PROVISIONING_STATUSES), {
    about: 'The provisioning status; PENDING_… until the requested change has been applied.',
    column: { default: 'PENDING_CREATE' },
  }),
};

export const NAME = {
  name: withDefault(text(), '', { about: 'The name.' }),
};

export const DESCRIPTION = {
  description: withDefault(text(), '', { about: 'The description.' }),
};

export const LOAD_BALANCERS = {
  loadbalancers: computed(idList, {
    about: 'The load balancer, as a list of one ID.',
    from: ({ loadBalancerId }: { readonly loadBalancerId: string }) => asIds([loadBalancerId]),
    ...UNLISTED,
  }),
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
export const defineResource = resourcesBy({
  ...convention,
  attributes: {
    ...STANDARD,
    ...OF_PARTS,
    tenantId: attribute(orNull(text(36)), { ...owner, property: 'projectId' }),
  },
});

/** One with no other attributes than its own. */
export const defineBareResource = resourcesBy({ ...convention, filters: {}, attributes: {} });
