/** Public source: Keystone API reference, "Projects". */
import { applyDecorators } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import type { DomainId, ProjectId } from '@cumulet/common/context/ids';
import { BooleanField, StringField } from '@cumulet/common/http/fields';
import { attribute, givenOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, orNull, text } from '@cumulet/common/resources/field-type';
import type { Condition } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { Domain } from '../domains/domain.resource.js';
import {
  description,
  idOf,
  name,
  options,
  resettable,
  ResourceColumns,
  tags,
} from '../resource/resource.attributes.js';
import {
  dtoOf,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  NamedQuery,
  TextFilter,
} from '../resource/resource.dto.js';

/** Of a project, or of a domain as a project, which has no domain. */
interface Place {
  readonly parentId: ProjectId | null;
  readonly domainId: DomainId | null;
}

export const PROJECT = {
  id: idOf<ProjectId>('projects'),
  name: attribute(name({ max: 64 }), { about: 'The name, unique in the domain.', required: true }),
  domainId: attribute(resettable(text<DomainId>({ max: 64 })), {
    about: 'The ID of the domain that owns it; null for a domain.',
  }),
  /** Null directly below the domain. */
  parentId: attribute(orNull(text<ProjectId>({ max: 64 })), {
    about: 'The ID of the project above it, or of its domain; null for a domain.',
    from: ({ parentId, domainId }: Place) => parentId ?? domainId,
  }),
  description: description(),
  enabled: attribute(flag({ fromText: true }), {
    about: 'Whether tokens can be scoped to it.',
    default: true,
  }),
  isDomain: givenOnly(orNull(flag({ fromText: true })), { about: 'Whether it is a domain.' }),
  tags,
  options,
} as const;

@Entity('projects')
@Check('projects_depth_check', 'cardinality(ancestor_ids) < 5')
@Unique('projects_domain_name_key', ['domainId', 'name'])
@Index('projects_page_idx', ['name', 'id'])
@Index('projects_parent_id_idx', ['parentId'])
@ForeignKey(() => Domain, ['domainId'], ['id'], {
  name: 'projects_domain_id_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Project, ['parentId'], ['id'], { name: 'projects_parent_id_fkey' })
export class Project extends rowOf(PROJECT, ResourceColumns) {
  /** All projects above it, the topmost first. Projects never move. */
  @Column('text', { name: 'ancestor_ids', array: true, default: [] })
  ancestorIds: ProjectId[];
}

export class ProjectDto extends dtoOf(PROJECT) {}

/** The bare name means true: `?subtree_as_ids`. */
const FLAG = { optional: true, fromText: true, bareIsTrue: true } as const;

export class ListProjectsOfUserQuery extends NamedQuery {
  @TextFilter({ max: 64 })
  domain_id?: string;

  @FilteredBy()
  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}

export class ListProjectsQuery extends ListProjectsOfUserQuery {
  /** A domain counts as the parent of the projects directly below it. */
  @TextFilter({ max: 64, sql: 'COALESCE(parent_id, domain_id)' })
  parent_id?: string;

  @BooleanField({
    ...FLAG,
    description: 'Whether to list domains, shown as projects, instead of projects.',
  })
  is_domain?: boolean;

  @TagFilter((tags) => `tags @> ${tags}`, 'Only projects that have all of these tags.')
  tags?: string;

  @TagFilter((tags) => `tags && ${tags}`, 'Only projects that have at least one of these tags.')
  'tags-any'?: string;

  @TagFilter((tags) => `NOT tags @> ${tags}`, 'Only projects that lack at least one of these tags.')
  'not-tags'?: string;

  @TagFilter((tags) => `NOT tags && ${tags}`, 'Only projects that have none of these tags.')
  'not-tags-any'?: string;
}

/** Public source: Keystone API reference, "Filtering and searching by tags". */
function TagFilter(condition: (tags: string) => string, description: string): PropertyDecorator {
  const filter =
    (text: string): Condition =>
    (bind) =>
      condition(bind(text.split(',')));
  const max = MAX_TAGS * (MAX_TAG_LENGTH + 1);
  return applyDecorators(
    FilteredBy(filter),
    StringField({ optional: true, min: 0, max, description }),
  );
}

export class ShowProjectQuery {
  @BooleanField(FLAG)
  parents_as_list?: boolean;

  @BooleanField(FLAG)
  parents_as_ids?: boolean;

  @BooleanField(FLAG)
  subtree_as_list?: boolean;

  @BooleanField(FLAG)
  subtree_as_ids?: boolean;

  @BooleanField({ ...FLAG, description: 'Whether the listed projects show their limits.' })
  include_limits?: boolean;
}
