/** Bodies and queries. Public source: Keystone API reference, "Projects". */
import { BooleanField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { ExtensibleField, ExtraProperties } from '../http/extra-fields.js';
import { inexactFilters, InexactFilters } from '../http/inexact-filter.js';
import { ResourceOptionsDto } from '../http/option-fields.js';
import { PageQuery } from '../http/page.js';
import { ReadOnlyField } from '../http/read-only-field.js';
import type { Extra } from '../http/resource-options.js';
import { LONGEST_TAG, MOST_TAGS, TagsField } from '../http/tags.js';
import type { ProjectFilter } from './project.repository.js';

const NAME = { max: 64, pattern: /\S/, patternText: 'must hold more than white space' } as const;
const ID = { optional: true, max: 64 } as const;
const TAGS = { optional: true, min: 0, max: MOST_TAGS * (LONGEST_TAG + 1) } as const;
/** A bare name is true: `?subtree_as_ids`. */
const FLAG = { optional: true, fromText: true, bareIsTrue: true } as const;

@InexactFilters('name', 'domain_id')
export class ListProjectsOfUserQuery extends PageQuery {
  @StringField({ optional: true })
  name?: string;

  @StringField(ID)
  domain_id?: string;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;
}

@InexactFilters('parent_id')
export class ListProjectsQuery extends ListProjectsOfUserQuery {
  @StringField(ID)
  parent_id?: string;

  @BooleanField({ ...FLAG, description: 'Domains, shown as projects, in place of projects.' })
  is_domain?: boolean;

  @StringField({ ...TAGS, description: 'Those that have all of these tags.' })
  tags?: string;

  @StringField({ ...TAGS, description: 'Those that have one of these tags.' })
  'tags-any'?: string;

  @StringField({ ...TAGS, description: 'Those that have not all of these tags.' })
  'not-tags'?: string;

  @StringField({ ...TAGS, description: 'Those that have none of these tags.' })
  'not-tags-any'?: string;
}

export function projectFilter(query: ListProjectsQuery): ProjectFilter {
  const { parent_id: parentId } = query;
  const tags = {
    all: query.tags?.split(','),
    any: query['tags-any']?.split(','),
    notAll: query['not-tags']?.split(','),
    notAny: query['not-tags-any']?.split(','),
  };
  return { ...filterOfUser(query), parentId, tags };
}

export function filterOfUser(query: ListProjectsOfUserQuery): ProjectFilter {
  const { name, enabled, domain_id: domainId } = query;
  return { name, enabled, domainId, inexact: inexactFilters(query) };
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
}

/** What can be given to a project and changed of it, and where it is. */
export class ProjectFieldsDto {
  @StringField({ optional: true, nullable: true, min: 0, max: 65_535 })
  description?: string | null;

  @BooleanField({ optional: true, fromText: true })
  enabled?: boolean;

  @TagsField({ optional: true })
  tags?: string[];

  @ObjectField(() => ResourceOptionsDto, { optional: true })
  options?: ResourceOptionsDto;

  @StringField({ ...ID, nullable: true })
  domain_id?: string | null;

  @StringField({
    ...ID,
    nullable: true,
    description: 'The project above it, or the domain for a project at the top.',
  })
  parent_id?: string | null;

  @BooleanField({ optional: true, nullable: true, fromText: true })
  is_domain?: boolean | null;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

export class CreateProjectDto extends ProjectFieldsDto {
  @StringField(NAME)
  name: string;

  @ReadOnlyField()
  id?: unknown;
}

export class CreateProjectBody {
  @ExtensibleField(() => CreateProjectDto)
  project: CreateProjectDto;
}

export class UpdateProjectDto extends ProjectFieldsDto {
  @StringField({ ...NAME, optional: true })
  name?: string;

  @StringField(ID)
  id?: string;
}

export class UpdateProjectBody {
  @ExtensibleField(() => UpdateProjectDto)
  project: UpdateProjectDto;
}
