/** JSON of any kind in answers and bodies: what templates, and those who wrote them, decide. */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';
import { AdditionalProperties, Shown } from '@cumulet/common/http/shown';
import { isMap as isJsonMap } from '../json/json.js';

const ANY = [
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
  ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
];

/** Of which `Shown` says nothing by itself. */
const NO_SHAPE = 'json';

export function ShownJson(
  description: string,
  options: { readonly optional?: boolean } = {},
): PropertyDecorator {
  return (prototype, key) => {
    // What the compiler would say of a property of any type.
    Reflect.defineMetadata('design:type', Object, prototype, key);
    Shown(NO_SHAPE as never, description, { ...options, schema: { oneOf: ANY } })(prototype, key);
  };
}

interface FieldOptions {
  readonly optional?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
}

export function JsonField(options: FieldOptions = {}): PropertyDecorator {
  const schema = { oneOf: ANY } as ApiPropertyOptions;
  return CheckedField(isStorableJson, 'must not hold the character U+0000', schema, options);
}

export function JsonMapField(options: FieldOptions = {}): PropertyDecorator {
  const schema: ApiPropertyOptions = { type: 'object', additionalProperties: true };
  const check = (value: unknown): boolean => isMap(value) && isStorableJson(value);
  return CheckedField(check, 'must be an object', schema, options);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return isJsonMap(value);
}

/** What is sealed may hold anything; texts of columns of their own may not. */
function isStorableJson(value: unknown): boolean {
  return typeof value !== 'string' || isStorable(value);
}

/** What is as a template, an environment or a stack has it. */
@AdditionalProperties()
export class AnyMap {
  [name: string]: unknown;
}
