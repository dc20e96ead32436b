/** Attributes and columns that resources of Keystone share. */
import { applyDecorators } from '@nestjs/common';
import { Column } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { ObjectField, type StringFieldOptions } from '@cumulet/common/http/fields';
import { Reads } from '@cumulet/common/http/read-dto';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { json, text, texts, type FieldType } from '@cumulet/common/resources/field-type';
import { type Extra, type ResourceOptions, ResourceOptionsDto, TagsField } from './resource.dto.js';

/** @param table whose primary key it is */
export function idOf<T extends string>(table: string) {
  return shownOnly(text<T>(), {
    about: 'The ID.',
    column: { primary: true, primaryKeyConstraintName: `${table}_pkey` },
  });
}

/** Null restores the default. */
export function resettable<T>(type: FieldType<T>): FieldType<T> {
  return { ...type, field: (options) => type.field({ ...options, nullable: true }) };
}

export function description({ max = 65_535 } = {}) {
  return attribute(resettable(text({ min: 0, max })), { about: 'A description.', default: '' });
}

/** A name without white space around it. */
export function name(own: StringFieldOptions = {}): FieldType<string> {
  const type = text({ pattern: /\S/, patternText: 'must not be blank', ...own });
  // A blank name stays, for the pattern to refuse.
  const trim = Reads((value) => (typeof value === 'string' ? value.trim() || value : value));
  return { ...type, field: (options) => applyDecorators(trim, type.field(options)) };
}

const tagList: FieldType<string[]> = { ...texts, field: TagsField };

export const tags = attribute(tagList, {
  about: 'Tags, by which lists can be filtered.',
  default: [],
});

const optionsObject: FieldType<ResourceOptions> = {
  ...json(() => ResourceOptionsDto),
  field: (own) => ObjectField(() => ResourceOptionsDto, own),
};

export const options = attribute(optionsObject, {
  about: 'Options, such as `immutable`.',
  default: {},
});

export const domainIdOfOwner = attribute(text<DomainId>({ max: 64 }), {
  about: "The ID of the domain that owns it; by default, the caller's.",
});

export abstract class CreatedColumns {
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

export abstract class ResourceColumns extends CreatedColumns {
  /** Properties of clients, without a meaning for identity. */
  @Column('jsonb', { default: {} })
  extra: Extra;
}
