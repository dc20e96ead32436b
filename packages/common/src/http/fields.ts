/**
 * Fields of DTOs: one decorator defines both the validation and the OpenAPI schema of a property,
 * so that they cannot diverge. Rules report in order, the type first. Every field is required
 * unless `optional` is set; `nullable` also accepts null.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { isStorable } from '../database/storable.js';
import { PartField, Reads } from './read-dto.js';

export interface FieldOptions {
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

type Constructor = abstract new (...args: never[]) => unknown;

interface Field {
  readonly options: FieldOptions;
  readonly schema: ApiPropertyOptions;
}

/** The fields that each DTO class declares itself, by its prototype. */
const declared = new WeakMap<object, Map<string, Field>>();

function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return applyDecorators(
    (prototype: object, property: string | symbol) => {
      const own = declared.get(prototype) ?? new Map<string, Field>();
      declared.set(prototype, own.set(String(property), { options, schema }));
    },
    ...described(options, schema),
    ...(options.optional ? [] : [IsDefined({ message: '$property is required' })]),
    ...rules,
  );
}

/** The OpenAPI schema of a field, and its optionality. */
function described(options: FieldOptions, schema: ApiPropertyOptions): PropertyDecorator[] {
  const { optional = false, nullable = false } = options;
  return [
    ApiProperty({
      ...schema,
      required: !optional,
      ...(nullable ? { nullable } : {}),
      ...(options.description === undefined ? {} : { description: options.description }),
      ...(options.example === undefined ? {} : { example: options.example }),
    } as ApiPropertyOptions),
    ValidateIf(
      (_, value: unknown) => !(value === undefined && optional) && !(value === null && nullable),
    ),
  ];
}

/** The names of all fields of a DTO class. */
export function fieldNamesOf(dto: Constructor): string[] {
  const names: string[] = [];
  for (let at = dto.prototype as object | null; at; at = Object.getPrototypeOf(at) as object)
    names.push(...(declared.get(at)?.keys() ?? []));
  return names;
}

/** Makes the fields of `base` optional in a class that extends it. */
export function makeOptional(extended: Constructor, base: Constructor): void {
  const prototype = extended.prototype as object;
  for (let at = base.prototype as object | null; at; at = Object.getPrototypeOf(at) as object) {
    for (const [property, { options, schema }] of declared.get(at) ?? [])
      applyDecorators(...described({ ...options, optional: true }, schema))(prototype, property);
  }
}

function storable({ each = false }: { readonly each?: boolean }): PropertyDecorator {
  return ValidateBy(
    {
      name: 'storable',
      validator: { validate: (value: unknown) => typeof value === 'string' && isStorable(value) },
    },
    {
      each,
      message: `${each ? 'each value in ' : ''}$property must hold neither a null character nor half of a surrogate pair`,
    },
  );
}

export interface StringFieldOptions extends FieldOptions {
  /** Minimum and maximum length in characters; 1 and 255 by default. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** The pattern in words: `must be a UUID`. */
  readonly patternText?: string;
}

export function StringField(options: StringFieldOptions = {}): PropertyDecorator {
  const { min = 1, max = 255, pattern, patternText } = options;
  return field(
    options,
    {
      type: String,
      minLength: min,
      maxLength: max,
      ...(pattern ? { pattern: pattern.source } : {}),
    },
    IsString(),
    storable({}),
    MaxLength(max),
    MinLength(min),
    ...(pattern
      ? [
          Matches(pattern, {
            message: `$property ${patternText ?? `must match ${pattern.source}`}`,
          }),
        ]
      : []),
  );
}

/** An identifier in UUID form, with or without dashes. */
export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return StringField({
    ...options,
    max: 36,
    pattern: /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/,
    patternText: 'must be a UUID',
  });
}

export interface IntegerFieldOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** Also accepts a string of digits, or is a query parameter, as in Nova. */
  readonly fromText?: boolean;
}

export function IntegerField(options: IntegerFieldOptions = {}): PropertyDecorator {
  const { min = 0, max = 2_147_483_647, fromText = false } = options;
  return field(
    options,
    { type: 'integer', minimum: min, maximum: max },
    ...(fromText
      ? [
          Reads((value) =>
            typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
          ),
        ]
      : []),
    IsInt(),
    Min(min),
    Max(max),
  );
}

const TRUE = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const FALSE = new Set(['false', '0', 'no', 'off', 'f', 'n']);

export interface BooleanFieldOptions extends FieldOptions {
  /** Also accepts OpenStack's words for a boolean: `True`, `1`, `yes`, `on`. */
  readonly fromText?: boolean;
  /** With `fromText`: the bare name of a query parameter (`?all_tenants`) is true. */
  readonly bareIsTrue?: boolean;
}

export function BooleanField(options: BooleanFieldOptions = {}): PropertyDecorator {
  const words = Reads((value) => {
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    if (word === undefined) return value;
    if (word === '' && options.bareIsTrue) return true;
    return TRUE.has(word) ? true : FALSE.has(word) ? false : value;
  });
  return field(options, { type: Boolean }, ...(options.fromText ? [words] : []), IsBoolean());
}

export function EnumField(
  values: readonly string[],
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { type: String, enum: [...values] },
    IsIn([...values], { message: `$property must be one of ${values.join(', ')}` }),
  );
}

/**
 * An object described by another DTO. OpenAPI recognises a function that returns a class by its
 * name, `type`, so it must be written as such.
 */
export function ObjectField(
  type: () => Constructor,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    { type: () => type() as new () => unknown },
    PartField(type),
    IsObject(),
    ValidateNested({ message: '$property must be an object' }),
  );
}

const EACH_AN_OBJECT = 'each value in $property must be an object';

/** A list of objects described by another DTO. */
export function ListField(
  type: () => Constructor,
  options: FieldOptions & { readonly minItems?: number; readonly maxItems?: number } = {},
): PropertyDecorator {
  const { minItems = 0, maxItems = 1000 } = options;
  return field(
    options,
    {
      type: () => type() as new () => unknown,
      isArray: true,
      ...(minItems > 0 ? { minItems } : {}),
      maxItems,
    },
    PartField(type),
    IsArray(),
    ArrayMinSize(minItems),
    ArrayMaxSize(maxItems),
    // Otherwise nested lists would be validated item by item, and an empty one accepted.
    ValidateBy(
      { name: 'notList', validator: { validate: (value: unknown) => !Array.isArray(value) } },
      { each: true, message: EACH_AN_OBJECT },
    ),
    ValidateNested({ each: true, message: EACH_AN_OBJECT }),
  );
}

export interface StringListFieldOptions extends StringFieldOptions {
  readonly maxItems?: number;
  /** The message for a duplicate: `must hold no name twice`. */
  readonly distinct?: string;
}

/** A list of strings. */
export function StringListField(options: StringListFieldOptions = {}): PropertyDecorator {
  const { min = 1, max = 255, maxItems = 1000, pattern, patternText, distinct } = options;
  return field(
    options,
    { type: String, isArray: true, maxItems },
    IsArray(),
    ArrayMaxSize(maxItems),
    IsString({ each: true }),
    storable({ each: true }),
    MaxLength(max, { each: true }),
    MinLength(min, { each: true }),
    ...(pattern
      ? [
          Matches(pattern, {
            each: true,
            message: `each value in $property ${patternText ?? `must match ${pattern.source}`}`,
          }),
        ]
      : []),
    ...(distinct === undefined
      ? []
      : [
          ValidateBy(
            { name: 'distinct', validator: { validate: isDistinct } },
            { message: `$property ${distinct}` },
          ),
        ]),
  );
}

function isDistinct(value: unknown): boolean {
  return Array.isArray(value) && new Set(value).size === value.length;
}

/** An object whose values are strings of at most 255 characters, such as metadata or properties. */
export function StringMapField(
  options: FieldOptions & { readonly maxKeys?: number } = {},
): PropertyDecorator {
  const { maxKeys = 128 } = options;
  return field(
    options,
    { type: 'object', additionalProperties: { type: 'string', maxLength: 255 } },
    ValidateBy(
      {
        name: 'stringMap',
        validator: {
          validate: (value: unknown) =>
            typeof value === 'object' &&
            value !== null &&
            !Array.isArray(value) &&
            Object.keys(value).length <= maxKeys &&
            Object.entries(value).every(
              ([key, one]) =>
                key.length >= 1 &&
                key.length <= 255 &&
                typeof one === 'string' &&
                one.length <= 255 &&
                isStorable(key) &&
                isStorable(one),
            ),
        },
      },
      {
        message: `$property must be an object of at most ${maxKeys} keys, with keys of 1 to 255 and values of at most 255 characters`,
      },
    ),
  );
}

/** A value in a form that a function checks; `message` completes "$property …". */
export function CheckedField(
  check: (value: unknown) => boolean,
  message: string,
  schema: ApiPropertyOptions,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    options,
    schema,
    ValidateBy(
      { name: 'checked', validator: { validate: check } },
      { message: `$property ${message}` },
    ),
  );
}

/**
 * A property of the matching API that is not offered, and is refused by name.
 * @param options `orEmpty`: accepts an empty string, which clients send for absent values
 */
export function UnsupportedField(
  what: string,
  { orEmpty = false }: { readonly orEmpty?: boolean } = {},
): PropertyDecorator {
  const asksForNothing = (value: unknown): boolean =>
    value === undefined || value === null || (orEmpty && value === '');
  return applyDecorators(
    ApiHideProperty(),
    ValidateIf((_, value: unknown) => !asksForNothing(value)),
    ValidateBy(
      { name: 'unsupported', validator: { validate: () => false } },
      { message: `$property is not supported: ${what}` },
    ),
  );
}
