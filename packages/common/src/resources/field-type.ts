/**
 * Types that class-validator checks, each with its field decorator and messages. `value-type.ts`
 * has those with Neutron's messages.
 */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
  StringListField,
  type BooleanFieldOptions,
  type FieldOptions,
  type IntegerFieldOptions,
  type StringFieldOptions,
  type StringListFieldOptions,
} from '../http/fields.js';
import type { Shape } from '../http/shown.js';
import type { ShownType } from './value-type.js';

export interface FieldType<T = unknown> extends ShownType<T> {
  readonly field: (options: FieldOptions) => PropertyDecorator;
}

/** A string, by default of 1 to 255 characters. */
export function text<T extends string = string>(options: StringFieldOptions = {}): FieldType<T> {
  const field = (own: FieldOptions): PropertyDecorator => StringField({ ...options, ...own });
  return { shape: String, nullable: false, column: { type: 'text' }, field };
}

export function id<T extends string>(): FieldType<T> {
  return { ...text<T>(), column: { type: 'uuid' } };
}

export function integer(options: IntegerFieldOptions = {}): FieldType<number> {
  const field = (own: FieldOptions): PropertyDecorator => IntegerField({ ...options, ...own });
  return { shape: 'integer', nullable: false, column: { type: 'integer' }, field };
}

export function flag(options: BooleanFieldOptions = {}): FieldType<boolean> {
  const field = (own: FieldOptions): PropertyDecorator => BooleanField({ ...options, ...own });
  return { shape: Boolean, nullable: false, column: { type: 'boolean' }, field };
}

export function choice<const T extends string>(values: readonly T[]): FieldType<T> {
  const field = (options: FieldOptions): PropertyDecorator => EnumField(values, options);
  return { shape: String, nullable: false, values, column: { type: 'text' }, field };
}

/** A list of strings. @param options as of `StringListField` */
export function textList(options: StringListFieldOptions = {}): FieldType<string[]> {
  return { ...texts, field: (own) => StringListField({ ...options, ...own }) };
}

/** Objects and lists, stored as JSON. */
export function json<T>(shape: Shape = Object): ShownType<T> {
  return { shape, nullable: false, column: { type: 'jsonb' } };
}

/** A list of strings. */
export const texts: ShownType<string[]> = {
  shape: [String],
  nullable: false,
  column: { type: 'text', array: true },
};

/** A string checked by a function; `message` completes "$property …". */
export function checked(
  check: (value: unknown) => boolean,
  message: string,
  schema: ApiPropertyOptions = { type: String },
): FieldType<string> {
  const field: FieldType['field'] = (options) => CheckedField(check, message, schema, options);
  return { ...text(), field };
}

/** To the millisecond, as precise as a Date: lists page by it. */
export const moment: ShownType<Date> = {
  shape: 'date-time',
  nullable: false,
  column: { type: 'timestamptz', precision: 3 },
};

type OrNull<Type> = Omit<Type, 'typed'> &
  ShownType<(Type extends ShownType<infer T> ? T : never) | null>;

export function orNull<Type extends ShownType>(type: Type): OrNull<Type> {
  return { ...type, nullable: true } as unknown as OrNull<Type>;
}

/** Absent in bodies, and null in rows and answers, if there is none. */
export function orUnset<T>(type: FieldType<T>): FieldType<T | null> {
  return { ...type, nullable: true, field: (own) => type.field({ ...own, nullable: false }) };
}

/** Absent in bodies and answers, and null in rows, if there is none. */
export function orAbsent<T>(type: FieldType<T>): FieldType<T | null> {
  return { ...orUnset(type), isLeftOut: true };
}
