/**
 * Tags of projects and domains: words that their owners find them by, in upper and lower case as
 * they were given. Public source: Keystone API reference, "Project tags".
 */
import { applyDecorators } from '@nestjs/common';
import { ArrayUnique } from 'class-validator';
import { StringListField } from '@cumulet/common/http/fields';

export const MOST_TAGS = 80;
export const LONGEST_TAG = 255;

/** Slashes separate the parts of a path, commas the tags of a filter. */
const TAG = /^[^,/]*[^,/\s][^,/]*$/;
const TAG_RULE = 'must hold more than white space, and neither a comma nor a slash';

export function TagsField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    StringListField({
      ...options,
      maxItems: MOST_TAGS,
      max: LONGEST_TAG,
      pattern: TAG,
      patternText: TAG_RULE,
    }),
    ArrayUnique({ message: '$property must not name a tag twice' }),
  );
}

/** What is wrong with a tag, as it stands in a path; undefined where nothing is. */
export function tagFault(tag: string): string | undefined {
  if (tag.length > LONGEST_TAG) return `must not be longer than ${LONGEST_TAG} characters`;
  return TAG.test(tag) ? undefined : TAG_RULE;
}

/** Tags as they are kept. */
export function trimmedTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}
