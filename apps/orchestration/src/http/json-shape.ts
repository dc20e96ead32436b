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

const NO_SHAPE = 'json';

export function ShownJson(
  description: string,
  options: { readonly optional?: boolean } = {},
): PropertyDecorator {
  return (prototype, key) => {
    // The type metadata that TypeScript emits for a property of any type.
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

/** Sealed columns store any text; plain text columns do not. */
function isStorableJson(value: unknown): boolean {
  return typeof value !== 'string' || isStorable(value);
}

/** A map with the keys of a template, an environment or a stack. */
@AdditionalProperties()
export class AnyMap {
  [name: string]: unknown;
}
