/**
 * Properties, described by a subset of JSON schema. Public source: Image API reference, "Create
 * property"; Glance's schema document of a property.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateNested } from 'class-validator';
import { Entity } from 'typeorm';
import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField, ObjectField } from '@cumulet/common/http/fields';
import { Reads, type Sent } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { bodyOf, columnsGiven, rowOf } from '@cumulet/common/resources/classes';
import {
  choice,
  flag,
  integer,
  json,
  text,
  textList,
  type FieldType,
} from '@cumulet/common/resources/field-type';
import {
  definition,
  Definitions,
  hasNameLength,
  inNamespace,
  LONG_TEXT,
  type NewDefinition,
} from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import { MAX_NAME_LENGTH } from '../namespaces/namespace.resource.js';

/** JSON schema, as sent by the client and validated. */
export type PropertySchema = Readonly<Record<string, unknown>>;

const PROPERTY = {
  ...definition('metadef_properties'),
  schema: shownOnly(json<PropertySchema>(), { about: 'The values, as JSON schema.' }),
} as const;

/** A metadata key and its allowed values. */
@Entity('metadef_properties')
export class MetadefProperty extends rowOf(PROPERTY, inNamespace('metadef_properties')) {}

export const metadefProperties = new Definitions(MetadefProperty, 'property');

export const PROPERTY_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const SCALAR_TYPES = ['string', 'number', 'boolean'];
const SCALARS = SCALAR_TYPES.map((type) => ({ type }));

/** Whether Postgres can store this value; parsing has limited its depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, one]) => isStorable(key) && isStorableJson(one));
}

function isListOfScalars(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => SCALAR_TYPES.includes(typeof one) && isStorableJson(one))
  );
}

function value(
  check: (value: unknown) => boolean,
  message: string,
  schema: ApiPropertyOptions,
): FieldType {
  return { ...json(), field: (own) => CheckedField(check, message, schema, own) };
}

const number = value(Number.isFinite, 'must be a number', { type: 'number' });
const choices = value(isListOfScalars, 'must be a list of strings, numbers and booleans', {
  type: 'array',
  items: { oneOf: SCALARS },
});
const anyValue = value(
  isStorableJson,
  'must not contain a null character, half a surrogate pair or an infinite number',
  {
    type: Object,
    oneOf: [
      ...SCALARS,
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: true },
    ],
    nullable: true,
  },
);

const ITEMS = {
  type: attribute(choice(PROPERTY_TYPES), { about: 'The type of the values.', required: true }),
  enum: attribute(choices, { about: 'The values to choose from.' }),
} as const;

class ItemsDto extends bodyOf(ITEMS) {}

const items: FieldType = { ...json(), field: (own) => ObjectField(() => ItemsDto, own) };

const PROPERTY_SCHEMA = {
  ...ITEMS,
  title: attribute(text(LONG_TEXT), {
    about: 'The title that is shown to people.',
    required: true,
  }),
  description: attribute(text(LONG_TEXT), { about: 'A description.' }),
  operators: attribute(textList(), { about: 'How a value may be compared: `<in>`.' }),
  default: attribute(anyValue, { about: 'The value unless another is given.' }),
  readonly: attribute(flag(), { about: 'Whether the value cannot be changed.' }),
  confidential: attribute(flag(), { about: 'Whether the value is confidential.' }),
  required: attribute(textList({ distinct: 'must hold no name twice' }), {
    about: 'The names that an object must have.',
  }),
  minimum: attribute(number, { about: 'The least number.' }),
  maximum: attribute(number, { about: 'The greatest number.' }),
  pattern: attribute(text(LONG_TEXT), { about: 'A regular expression that strings match.' }),
  minLength: attribute(integer(), { about: 'The least length of a string.', wire: 'minLength' }),
  maxLength: attribute(integer(), { about: 'The greatest length of a string.', wire: 'maxLength' }),
  items: attribute(items, { about: 'The items of a list.' }),
  uniqueItems: attribute(flag(), {
    about: 'Whether the items of a list are distinct.',
    wire: 'uniqueItems',
  }),
  minItems: attribute(integer(), { about: 'The least length of a list.', wire: 'minItems' }),
  maxItems: attribute(integer(), { about: 'The greatest length of a list.', wire: 'maxItems' }),
  additionalItems: attribute(flag(), {
    about: 'Whether a list may have further items.',
    wire: 'additionalItems',
  }),
} as const;

export class PropertyDto extends bodyOf({ ...PROPERTY_SCHEMA, name: PROPERTY.name }) {}

/** A property in a map, where its name is the key. */
@Ignoring('name')
export class MappedPropertyDto extends bodyOf(PROPERTY_SCHEMA) {}

export function propertyOf(dto: PropertyDto): NewDefinition<MetadefProperty> {
  return { ...columnsGiven(PROPERTY, dto), schema: schemaOf(dto) };
}

export function schemaOf(dto: object): PropertySchema {
  return Object.fromEntries(
    Object.entries(dto).filter(([key, value]) => key !== 'name' && value !== undefined),
  );
}

export const SHOWN_PROPERTIES = {
  type: 'object',
  additionalProperties: { $ref: getSchemaPath(MappedPropertyDto) },
} as const;

/** Public source: Image API reference, "List properties". */
@ApiExtraModels(MappedPropertyDto)
export class PropertyList {
  @Shown(Object, 'The properties of the namespace by their names.', { schema: SHOWN_PROPERTIES })
  properties: Readonly<Record<string, PropertySchema>>;
}

export function propertyView({ name, schema }: NewDefinition<MetadefProperty>): object {
  return { ...schema, name };
}

export function schemasByName(
  properties: readonly NewDefinition<MetadefProperty>[],
): PropertyList['properties'] {
  return Object.fromEntries(properties.map(({ name, schema }) => [name, schema]));
}

const MAX_PROPERTIES = 1000;

/** An object in the body, a map in the DTO. */
export function PropertyMapField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    Reads(mapOf),
    CheckedField(
      isPropertyMap,
      `must be an object of at most ${MAX_PROPERTIES} properties, with names of 1 to ${MAX_NAME_LENGTH} characters`,
      SHOWN_PROPERTIES,
      { ...options, description: 'Properties by their names.' },
    ),
    ValidateNested({ message: '$property must hold objects' }),
  );
}

function mapOf(value: unknown, { name: field, part }: Sent): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(
    ([name, one]) => [name, part(MappedPropertyDto, one, `${field}.${name}`)] as const,
  );
  return new Map(entries);
}

function isPropertyMap(value: unknown): boolean {
  return (
    value instanceof Map &&
    value.size <= MAX_PROPERTIES &&
    [...value.keys()].every((name: string) => hasNameLength(name) && isStorable(name))
  );
}
