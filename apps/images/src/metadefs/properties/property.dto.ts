/**
 * What a property may be: a part of JSON schema. Public source: Image API reference, "Create
 * property"; Glance's schema document of a property.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { ValidateNested } from 'class-validator';
import { isStorable } from '@cumulet/common/database/storable';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';
import { Reads, type Sent } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import {
  hasNameLength,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  type NewDefinition,
} from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import type { MetadefProperty, PropertySchema } from './property.entity.js';

export const PROPERTY_TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const SCALAR_TYPES = ['string', 'number', 'boolean'];
const SCALARS = SCALAR_TYPES.map((type) => ({ type }));

/** Whether Postgres can store this value from a parsed body; parsing limits its depth. */
function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, one]) => isStorable(key) && isStorableJson(one));
}

/** Strings, numbers and booleans, as a property's values can be told apart. */
function isListOfScalars(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => SCALAR_TYPES.includes(typeof one) && isStorableJson(one))
  );
}

function NumberField(): PropertyDecorator {
  return CheckedField(Number.isFinite, 'must be a number', { type: 'number' }, { optional: true });
}

function ChoiceField(): PropertyDecorator {
  return CheckedField(
    isListOfScalars,
    'must be a list of strings, numbers and booleans',
    { type: 'array', items: { oneOf: SCALARS } },
    { optional: true, description: 'The values to choose from.' },
  );
}

export class ItemsDto {
  @EnumField(PROPERTY_TYPES)
  type: string;

  @ChoiceField()
  enum?: unknown[];
}

export class PropertySchemaDto {
  @StringField({ min: 0, max: MAX_TEXT_LENGTH })
  title: string;

  @EnumField(PROPERTY_TYPES)
  type: string;

  @StringField({ optional: true, min: 0, max: MAX_TEXT_LENGTH })
  description?: string;

  @StringListField({ optional: true, description: 'How a value may be compared: `<in>`.' })
  operators?: string[];

  @CheckedField(
    isStorableJson,
    'must hold no null character, no half of a surrogate pair and no number beyond all bounds',
    {
      oneOf: [
        ...SCALARS,
        { type: 'array', items: {} },
        { type: 'object', additionalProperties: true },
      ],
      nullable: true,
    },
    { optional: true, description: 'What it is where nobody says otherwise.' },
  )
  default?: unknown;

  @BooleanField({ optional: true })
  readonly?: boolean;

  @BooleanField({ optional: true })
  confidential?: boolean;

  @StringListField({ optional: true, distinct: 'must hold no name twice' })
  required?: string[];

  @NumberField()
  minimum?: number;

  @NumberField()
  maximum?: number;

  @ChoiceField()
  enum?: unknown[];

  @StringField({ optional: true, min: 0, max: MAX_TEXT_LENGTH })
  pattern?: string;

  @IntegerField({ optional: true })
  minLength?: number;

  @IntegerField({ optional: true })
  maxLength?: number;

  @ObjectField(() => ItemsDto, { optional: true })
  items?: ItemsDto;

  @BooleanField({ optional: true })
  uniqueItems?: boolean;

  @IntegerField({ optional: true })
  minItems?: number;

  @IntegerField({ optional: true })
  maxItems?: number;

  @BooleanField({ optional: true })
  additionalItems?: boolean;
}

export class PropertyDto extends PropertySchemaDto {
  @StringField({ max: MAX_NAME_LENGTH })
  name: string;
}

/** A property in a map, where its name is the key. */
@Ignoring('name')
export class MappedPropertyDto extends PropertySchemaDto {}

export function propertyOf(dto: PropertyDto): NewDefinition<MetadefProperty> {
  return { name: dto.name, schema: schemaOf(dto) };
}

/** What was given, without anything that was not. */
export function schemaOf(dto: PropertySchemaDto): PropertySchema {
  return Object.fromEntries(
    Object.entries(dto).filter(([key, value]) => key !== 'name' && value !== undefined),
  );
}

/** Properties by name, as the document shows them. */
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

/** Properties by name; a body has them as an object, a DTO as a map. */
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
