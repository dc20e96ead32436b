import { ListField, StringField } from '@cumulet/common/http/fields';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { hasNameLength, LONGEST_NAME, type NewDefinition } from '../definition.js';
import type { MetadefTag } from './tag.entity.js';

/** Public source: Image API reference, "Update tag definition". */
export class MetadefTagDto {
  @StringField({ max: LONGEST_NAME })
  name: string;
}

/** Public source: Image API reference, "Create tags". */
export class NewMetadefTagsDto {
  @ListField(() => MetadefTagDto)
  tags: MetadefTagDto[];
}

/** A tag whose name stands in the path. @throws InvalidInputError */
export function tagNamed(name: string): NewDefinition<MetadefTag> {
  if (hasNameLength(name)) return { name };
  throw new InvalidInputError(
    `Invalid input: the name of a tag must have 1 to ${LONGEST_NAME} characters.`,
  );
}

/** The words that OpenStack takes for true; whatever else is false. */
export function isTrue(header: string | undefined): boolean {
  return /^\s*(1|t|true|on|y|yes)\s*$/i.test(header ?? '');
}
