/** Public source: Keystone API reference, "Unified Limits". */
import { Check, Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import type { DomainId, Id, ProjectId } from '@cumulet/common/context/ids';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { attribute } from '@cumulet/common/resources/attribute';
import { pick, rowOf } from '@cumulet/common/resources/classes';
import { integer, orNull, text } from '@cumulet/common/resources/field-type';
import { SortedBy } from '@cumulet/common/tables/listing';
import { Domain } from '../domains/domain.resource.js';
import type { RegionId } from '../regions/region.resource.js';
import { CreatedColumns, idOf } from '../resource/resource.attributes.js';
import { bareDtoOf, changeOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { linkedViewOf } from '../resource/resource.view.js';
import type { ServiceId } from '../services/service.resource.js';

export type RegisteredLimitId = Id<'RegisteredLimit'>;

const SHARED = {
  serviceId: attribute(text<ServiceId>({ max: 64 }), {
    about: 'The ID of the service whose resource it limits.',
    required: true,
  }),
  regionId: attribute(orNull(text<RegionId>()), {
    about: 'The ID of the region to which it applies; null for all regions.',
  }),
  description: attribute(orNull(text({ min: 0 })), { about: 'A description.' }),
} as const;

const RESOURCE_NAME = {
  about: 'The name of the resource that it limits.',
  example: 'volumes',
  required: true,
} as const;

export const REGISTERED_LIMIT = {
  id: idOf<RegisteredLimitId>('registered_limits'),
  ...SHARED,
  resourceName: attribute(text({ pattern: /\S/, patternText: 'must not be blank' }), RESOURCE_NAME),
  defaultLimit: attribute(integer({ min: -1 }), {
    about: 'The limit of each project without one of its own; -1 is no limit.',
    required: true,
  }),
} as const;

/** The default limit of a resource. As in Keystone, it outlives its service and its region. */
@Entity('registered_limits')
@Index('registered_limits_region_key', ['serviceId', 'resourceName', 'regionId'], {
  unique: true,
  where: 'region_id IS NOT NULL',
})
@Index('registered_limits_key', ['serviceId', 'resourceName'], {
  unique: true,
  where: 'region_id IS NULL',
})
@Index('registered_limits_region_id_idx', ['regionId'])
export class RegisteredLimit extends rowOf(REGISTERED_LIMIT, CreatedColumns) {}

export class CreateRegisteredLimitDto extends bareDtoOf(REGISTERED_LIMIT) {}

@SortedBy(['serviceId', 'resourceName', 'regionId'])
export class ListRegisteredLimitsQuery extends PageQuery {
  @TextFilter()
  service_id?: string;

  @TextFilter()
  region_id?: string;

  @TextFilter()
  resource_name?: string;
}

export class RegisteredLimitView extends linkedViewOf(REGISTERED_LIMIT) {}

export type LimitId = Id<'Limit'>;

/** SQL: a column of the registered limit of a limit. */
function registered(column: string): string {
  return `(SELECT ${column} FROM registered_limits WHERE id = registered_limit_id)`;
}

/** SQL: the domain that a limit is for, or that its project is in. */
export const OWNER_DOMAIN =
  'COALESCE(domain_id, (SELECT domain_id FROM projects WHERE id = project_id))';

export const LIMIT = {
  id: idOf<LimitId>('limits'),
  projectId: attribute(orNull(text<ProjectId>({ max: 64 })), {
    about: 'The ID of the project that it limits, unless it limits a domain.',
  }),
  domainId: attribute(orNull(text<DomainId>({ max: 64 })), {
    about: 'The ID of the domain that it limits, unless it limits a project.',
  }),
  ...SHARED,
  serviceId: { ...SHARED.serviceId, virtual: () => registered('service_id') },
  regionId: { ...SHARED.regionId, virtual: () => registered('region_id') },
  resourceName: attribute(text(), {
    ...RESOURCE_NAME,
    virtual: () => registered('resource_name'),
  }),
  resourceLimit: attribute(integer({ min: -1 }), {
    about: 'The limit; -1 is no limit.',
    required: true,
  }),
} as const;

@Entity('limits')
@Check('limits_owner_check', 'num_nonnulls(project_id, domain_id) = 1')
@Index('limits_project_key', ['projectId', 'registeredLimitId'], {
  unique: true,
  where: 'project_id IS NOT NULL',
})
@Index('limits_domain_key', ['domainId', 'registeredLimitId'], {
  unique: true,
  where: 'domain_id IS NOT NULL',
})
// Names the table, not the class: projects show their limits, and so import this file.
@ForeignKey('projects', ['projectId'], ['id'], {
  name: 'limits_project_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Domain, ['domainId'], ['id'], {
  name: 'limits_domain_id_fkey',
  onDelete: 'CASCADE',
})
export class Limit extends rowOf(LIMIT, CreatedColumns) {
  @Column('text', { name: 'registered_limit_id' })
  @ForeignKey(() => RegisteredLimit, { name: 'limits_registered_limit_id_fkey' })
  @Index('limits_registered_limit_id_idx')
  registeredLimitId: RegisteredLimitId;

  @VirtualColumn('text', { query: () => OWNER_DOMAIN })
  ownerDomainId: DomainId;
}

export class CreateLimitDto extends bareDtoOf(LIMIT) {}

export class UpdateLimitDto extends changeOf(
  bareDtoOf(pick(LIMIT, ['resourceLimit', 'description'])),
) {}

@SortedBy(['createdAt'])
export class ListLimitsQuery extends PageQuery {
  @TextFilter({ sql: registered('service_id') })
  service_id?: string;

  @TextFilter({ sql: registered('region_id') })
  region_id?: string;

  @TextFilter({ sql: registered('resource_name') })
  resource_name?: string;

  @TextFilter()
  project_id?: string;

  @TextFilter()
  domain_id?: string;
}

export class LimitView extends linkedViewOf(LIMIT) {}

const LimitModelView = answerClass('LimitModelView', {
  name: Shown(String, 'The name of the model.', { enum: ['flat'] }),
  description: Shown(String, 'A description.'),
});

export const LimitModelBody = shownUnder(
  'model',
  LimitModelView,
  'How the limits of a project relate to those of the projects above it.',
);
