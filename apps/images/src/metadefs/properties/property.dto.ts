/**
 * What a property may be: a part of JSON schema. Public source: Image API reference, "Create
 * property"; Glance's schema document of a property.
 */
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';
import { ArrayUnique } from 'class-validator';
import { LONGEST_NAME, LONGEST_TEXT, type NewDefinition } from '../definition.js';
import { IgnoredField } from '../ignored.field.js';
import { AsSent } from './as-sent.js';
import { isListOfScalars, isStorableJson } from './json-value.js';
import type { MetadefProperty } from './property.entity.js';
import { PROPERTY_TYPES, type PropertySchema } from './property-schema.js';

const SCALARS = ['string', 'number', 'boolean'].map((type) => ({ type }));

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
  @StringField({ min: 0, max: LONGEST_TEXT })
  title: string;

  @EnumField(PROPERTY_TYPES)
  type: string;

  @StringField({ optional: true, min: 0, max: LONGEST_TEXT })
  description?: string;

  @StringListField({ optional: true, description: 'How a value may be compared: `<in>`.' })
  operators?: string[];

  @AsSent()
  @CheckedField(
    isStorableJson,
    'must hold no null character, no half of a surrogate pair and no number beyond all bounds',
    { oneOf: [...SCALARS, { type: 'array', items: {} }, { type: 'object' }] },
    { optional: true, description: 'What it is where nobody says otherwise.' },
  )
  default?: unknown;

  @BooleanField({ optional: true })
  readonly?: boolean;

  @BooleanField({ optional: true })
  confidential?: boolean;

  @StringListField({ optional: true })
  @ArrayUnique({ message: '$property must hold no name twice' })
  required?: string[];

  @NumberField()
  minimum?: number;

  @NumberField()
  maximum?: number;

  @ChoiceField()
  enum?: unknown[];

  @StringField({ optional: true, min: 0, max: LONGEST_TEXT })
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
  @StringField({ max: LONGEST_NAME })
  name: string;
}

/** A property among others, whose name is its key. */
export class MappedPropertyDto extends PropertySchemaDto {
  @IgnoredField()
  name?: unknown;
}

export function propertyOf(dto: PropertyDto): NewDefinition<MetadefProperty> {
  return { name: dto.name, schema: schemaOf(dto) };
}

/** What was said of it, and nothing of what was not. */
export function schemaOf(dto: PropertySchemaDto): PropertySchema {
  return Object.fromEntries(
    Object.entries(dto).filter(([key, value]) => key !== 'name' && value !== undefined),
  );
}
