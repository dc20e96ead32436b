/**
 * Tags of projects and domains: words that their owners find them by, in upper and lower case as
 * they were given. Public source: Keystone API reference, "Project tags".
 */
import { applyDecorators } from '@nestjs/common';
import { StringListField } from '@cumulet/common/http/fields';
import { Reads } from '@cumulet/common/http/read-dto';

export const MAX_TAGS = 80;
export const MAX_TAG_LENGTH = 255;

/** Slashes separate the parts of a path, commas the tags of a filter. */
const TAG = /^[^,/]*[^,/\s][^,/]*$/;
const TAG_RULE = 'must hold more than white space, and neither a comma nor a slash';

/** They arrive as they are kept. */
export function TagsField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    Reads((value) => (isListOfTexts(value) ? trimmed(value) : value)),
    StringListField({
      ...options,
      maxItems: MAX_TAGS,
      max: MAX_TAG_LENGTH,
      pattern: TAG,
      patternText: TAG_RULE,
      distinct: 'must not name a tag twice',
    }),
  );
}

/** What is wrong with a tag, as it stands in a path; undefined where nothing is. */
export function tagFault(tag: string): string | undefined {
  if (tag.length > MAX_TAG_LENGTH) return `must not be longer than ${MAX_TAG_LENGTH} characters`;
  return TAG.test(tag) ? undefined : TAG_RULE;
}

/** Without the white space around them; one that is named twice stays so, to be refused. */
function trimmed(tags: readonly string[]): string[] {
  if (new Set(tags).size < tags.length) return [...tags];
  return [...new Set(tags.map((tag) => tag.trim() || tag))];
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
