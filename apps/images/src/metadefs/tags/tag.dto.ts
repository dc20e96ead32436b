/** Tags on the wire. Public source: Image API reference, "Metadata definition tags". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ListField, StringField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { pageQuery } from '../../images/page-query.js';
import { timestamp, TimestampsView } from '../../images/timestamp.js';
import { hasNameLength, MAX_NAME_LENGTH } from '../definitions.js';
import type { MetadefTag } from './tag.entity.js';

export class MetadefTagDto {
  @StringField({ max: MAX_NAME_LENGTH })
  name: string;
}

export class NewMetadefTagsDto {
  @ListField(() => MetadefTagDto)
  tags: MetadefTagDto[];
}

/** Without a limit the list is complete. */
export class ListMetadefTagsQuery extends pageQuery({
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  name: 'name',
}) {}

export class MetadefTagView extends TimestampsView {
  @Shown(String, 'Its name in the namespace.', { schema: { maxLength: MAX_NAME_LENGTH } })
  name: string;
}

/** In a list, a tag is just its name. */
export class MetadefTagName {
  @Shown(String, 'Its name in the namespace.')
  name: string;
}

export class MetadefTagList {
  @Shown([() => MetadefTagName], 'The tags of this page.')
  tags: MetadefTagName[];
}

export const tagView = viewOf<MetadefTag, MetadefTagView>(MetadefTagView, timestamp);
export const tagName = viewOf<MetadefTag, MetadefTagName>(MetadefTagName);

/** A tag whose name is in the path. @throws InvalidInputError */
export function tagNamed(name: string): MetadefTagDto {
  if (hasNameLength(name)) return { name };
  throw new InvalidInputError(
    `Invalid input: the name of a tag must have 1 to ${MAX_NAME_LENGTH} characters.`,
  );
}

/** OpenStack's words for true; anything else is false. */
export function isTrue(header: string | undefined): boolean {
  return /^\s*(1|t|true|on|y|yes)\s*$/i.test(header ?? '');
}
