/** Bodies and queries. Public source: Keystone API reference, "Projects". */
import { applyDecorators } from '@nestjs/common';
import { BooleanField, ObjectField, StringField } from '@cumulet/common/http/fields';
import type { Condition } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import {
  DescriptionField,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  NamedQuery,
  NameField,
  ResourceDto,
  ResourceOptionsDto,
  TagsField,
  TextFilter,
} from '../resource/resource.dto.js';

const ID = { optional: true, max: 64 } as const;
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

  @BooleanField({ ...FLAG, description: 'Domains, shown as projects, in place of projects.' })
  is_domain?: boolean;

  @TagFilter((tags) => `tags @> ${tags}`, 'Those that have all of these tags.')
  tags?: string;

  @TagFilter((tags) => `tags && ${tags}`, 'Those that have one of these tags.')
  'tags-any'?: string;

  @TagFilter((tags) => `NOT tags @> ${tags}`, 'Those that have not all of these tags.')
  'not-tags'?: string;

  @TagFilter((tags) => `NOT tags && ${tags}`, 'Those that have none of these tags.')
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

  @BooleanField({ ...FLAG, description: 'Whether projects of these lists have their limits.' })
  include_limits?: boolean;
}

/** What a client can set of a project, and where it is. */
export class ProjectDto extends ResourceDto {
  @NameField({ max: 64 })
  name: string;

  @DescriptionField()
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
}
