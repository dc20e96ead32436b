import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { Allow, IsOptional, ValidateBy } from 'class-validator';
import type { Id } from '@cumulet/common/context/ids';
import {
  BooleanField,
  IntegerField,
  makeOptional,
  ObjectField,
  StringField,
  type StringFieldOptions,
  StringListField,
} from '@cumulet/common/http/fields';
import { KeepsOthers, PartField, Reads } from '@cumulet/common/http/read-dto';
import type { Value } from '@cumulet/common/resources/attribute';
import { bodyOf, type FieldAttributes, type GivenKey } from '@cumulet/common/resources/classes';
import {
  type Condition,
  equals,
  TEXT_MATCHES,
  type TextMatch,
  textMatches,
} from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { camelCase } from '@cumulet/common/tables/names';

/**
 * Properties that an operation does not know: Keystone stores them for its clients (`email`, whatever
 * `--property` sets), and shows them beside the others.
 */
export type Extra = Readonly<Record<string, unknown>>;

const MAX_PROPERTIES = 64;
const MAX_NAME_LENGTH = 255;
const MAX_JSON_LENGTH = 16_384;

type ExtensibleDto = new () => object & { extra?: Extra };

/** The wrapper of a resource, `{"user": {…}}`, whose DTO may have `@ExtraProperties() extra`. */
export function ExtensibleField(dto: () => ExtensibleDto): PropertyDecorator {
  return applyDecorators(ObjectField(dto), PartField(dto, { keepsOthers: true }));
}

/** Takes the properties that the DTO does not know. */
export function ExtraProperties(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    KeepsOthers(),
    IsOptional(),
    ValidateBy(
      { name: 'extra', validator: { validate: isKeepable } },
      {
        message: `$property must have at most ${MAX_PROPERTIES} further properties, with names of 1 to ${MAX_NAME_LENGTH} characters, at most ${MAX_JSON_LENGTH} characters of JSON in all, and no null characters`,
      },
    ),
  );
}

/** Ignored: a client may send back what it has read. */
export function ReadOnlyField(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    Allow(),
    Reads(() => undefined),
  );
}

function isKeepable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  const json = JSON.stringify(value);
  return (
    names.length <= MAX_PROPERTIES &&
    names.every((name) => name.length >= 1 && name.length <= MAX_NAME_LENGTH) &&
    json.length <= MAX_JSON_LENGTH &&
    // Postgres refuses these escapes of JSON.
    !/\\u0000|\\ud[89a-f]/i.test(json)
  );
}

export class ResourceDto {
  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'The ID: random at creation; a change may only repeat it.',
  })
  id?: string | null;

  @ReadOnlyField()
  links?: unknown;

  @ExtraProperties()
  extra?: Extra;
}

/** `domainId` as `domain_id`. */
type Wire<Key extends string> = Key extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Wire<Tail>}`
  : Key;

interface Required {
  readonly required: true;
}

/** An ID that a client gives may be anything. */
type Said<T> = T extends Id<string> ? string : T;

/** The body of a new resource. Null restores the default of an optional property that accepts it. */
export type DtoOf<A extends object> = {
  readonly [K in GivenKey<A> & string as A[K] extends Required ? Wire<K> : never]: Said<
    Value<A[K]>
  >;
} & {
  readonly [K in GivenKey<A> & string as A[K] extends Required ? never : Wire<K>]?: Said<
    Value<A[K]>
  > | null;
};

/** A body of the attributes only. */
export function bareDtoOf<A extends FieldAttributes>(attributes: A): Type<DtoOf<A>> {
  return bodyOf(attributes) as Type<DtoOf<A>>;
}

/** By default, with an ID, links and further properties. */
export function dtoOf<A extends FieldAttributes, B extends object = ResourceDto>(
  attributes: A,
  base: Type<B> = ResourceDto as Type<B>,
): Type<B & DtoOf<A>> {
  return bodyOf(attributes, { base }) as Type<B & DtoOf<A>>;
}

/** Pages of a list. Public source: Keystone API reference, "List users", `limit` and `marker`. */
export class PageQuery {
  @IntegerField({
    optional: true,
    fromText: true,
    min: 1,
    description: 'The number of rows on the page, at most 1000; by default, all rows.',
  })
  limit?: number;

  @StringField({ optional: true, description: 'The ID of the last row of the previous page.' })
  marker?: string;
}

/**
 * Filters a list by a text: by all of it, or by a part (`name__icontains=web`). Public source:
 * Keystone's source, `keystone/server/flask/common.py`, on inexact filters.
 * @param options.sql the SQL of the text, where it is not a column
 */
export function TextFilter({
  sql,
  ...options
}: StringFieldOptions & { readonly sql?: string } = {}): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const of = (condition: Condition): Condition =>
      sql === undefined ? condition : (bind) => condition(bind, () => sql);
    StringField({ optional: true, ...options })(prototype, key);
    FilteredBy((value: string) => of(equals(camelCase(name), value)))(prototype, key);
    for (const how of Object.keys(TEXT_MATCHES) as TextMatch[]) {
      const part = `${name}__${how}`;
      StringField({ optional: true, min: 0 })(prototype, part);
      FilteredBy((value: string) => of(textMatches(camelCase(name), how, value)))(prototype, part);
    }
  };
}

@SortedBy(['name'])
export class NamedQuery extends PageQuery {
  @TextFilter()
  name?: string;
}

/**
 * The class of a change, `UpdateServiceDto` of `CreateServiceDto`, with all properties optional. Null
 * is accepted only where a new resource accepts it.
 */
export function changeOf<Dto extends object>(create: Type<Dto>): Type<Partial<Dto>> {
  const name = `Update${create.name.replace(/^Create/, '')}`;
  const change = { [name]: class extends (create as Type<object>) {} }[name] as Type<Partial<Dto>>;
  makeOptional(change, create);
  return change;
}

/** Options of a resource. Public source: Keystone API reference, "Resource Options". */
export interface ResourceOptions {
  /** Neither changed nor deleted while true. */
  readonly immutable?: boolean;
}

/** Options of projects, domains and roles; null removes one. */
export class ResourceOptionsDto {
  @BooleanField({ optional: true, nullable: true })
  immutable?: boolean | null;
}

/** The options after a change; null removes one. */
export function changedOptions<T extends object>(before: T, change: object | undefined): T {
  // A DTO has all of its fields, also those that the client did not send.
  const named = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  const merged = { ...before, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as T;
}

// Tags of projects and domains, case-sensitive. Public source: Keystone API reference, "Project tags".

export const MAX_TAGS = 80;
export const MAX_TAG_LENGTH = 255;

/** Slashes separate the parts of a path, commas the tags of a filter. */
const TAG = /^[^,/]*[^,/\s][^,/]*$/;
const TAG_RULE = 'must not be blank, and must not contain a comma or a slash';

export function TagsField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    Reads((value) => (isListOfTexts(value) ? trimmed(value) : value)),
    StringListField({
      ...options,
      maxItems: MAX_TAGS,
      max: MAX_TAG_LENGTH,
      pattern: TAG,
      patternText: TAG_RULE,
      distinct: 'must not contain a tag twice',
    }),
  );
}

/** The fault of a tag in a path; undefined for a valid one. */
export function tagFault(tag: string): string | undefined {
  if (tag.length > MAX_TAG_LENGTH) return `must not be longer than ${MAX_TAG_LENGTH} characters`;
  return TAG.test(tag) ? undefined : TAG_RULE;
}

/** Exact duplicates stay, for the validation to refuse. */
function trimmed(tags: readonly string[]): string[] {
  if (new Set(tags).size < tags.length) return [...tags];
  return [...new Set(tags.map((tag) => tag.trim() || tag))];
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
