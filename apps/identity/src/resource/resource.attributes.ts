/** Attributes that resources of Keystone have in common. */
import { ObjectField, type StringFieldOptions } from '@cumulet/common/http/fields';
import type { DomainId } from '@cumulet/common/context/ids';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { json, text, texts, type FieldType } from '@cumulet/common/resources/field-type';
import { NameField, type ResourceOptions, ResourceOptionsDto, TagsField } from './resource.dto.js';

/** @param table whose primary key it is */
export function idOf<T extends string>(table: string) {
  return shownOnly(text<T>(), {
    about: 'The ID.',
    column: { primary: true, primaryKeyConstraintName: `${table}_pkey` },
  });
}

/** A value that null takes back to its default. */
export function resettable<T>(type: FieldType<T>): FieldType<T> {
  return { ...type, field: (options) => type.field({ ...options, nullable: true }) };
}

export function description({ max = 65_535 } = {}) {
  return attribute(resettable(text({ min: 0, max })), { about: 'A description.', default: '' });
}

/** A name that is kept without the white space around it. */
export function name(options: StringFieldOptions = {}): FieldType<string> {
  return { ...text(), field: (own) => NameField({ ...options, ...own }) };
}

const tagList: FieldType<string[]> = { ...texts, field: TagsField };

export const tags = attribute(tagList, { about: 'Tags that it is found by.', default: [] });

const optionsObject: FieldType<ResourceOptions> = {
  ...json(() => ResourceOptionsDto),
  field: (own) => ObjectField(() => ResourceOptionsDto, own),
};

export const options = attribute(optionsObject, {
  about: 'Options, such as `immutable`.',
  default: {},
});

/** Of a resource that is of a domain for good. */
export const domainIdOfOwner = attribute(text<DomainId>({ max: 64 }), {
  about: "The ID of the domain that owns it; by default, the caller's.",
});
