/**
 * Properties beyond those that an operation knows: Keystone keeps them for its clients (`email`,
 * whatever `--property` sets) and shows them beside the others.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow, getMetadataStorage, IsOptional, ValidateBy } from 'class-validator';
import { ObjectField } from '@cumulet/common/http/fields';

/** Properties that Keystone keeps for its clients without a meaning of its own (`email`). */
export type Extra = Readonly<Record<string, unknown>>;

const MAX_PROPERTIES = 64;
const MAX_NAME_LENGTH = 255;
const MAX_JSON_LENGTH = 16_384;

type Dto = new () => object & { extra?: Extra };

/** The wrapper of a resource, `{"user": {…}}`, whose DTO may have `@ExtraProperties() extra`. */
export function ExtensibleField(dto: () => Dto): PropertyDecorator {
  return applyDecorators(
    ObjectField(dto),
    Transform(({ value, key, obj }: { value: unknown; key: string; obj: unknown }) =>
      value instanceof dto() ? split(value, (obj as Record<string, object>)[key] ?? {}) : value,
    ),
  );
}

/** Where what is left over goes. */
export function ExtraProperties(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    IsOptional(),
    ValidateBy(
      { name: 'extra', validator: { validate: isKeepable } },
      {
        message: `$property of other properties must be at most ${MAX_PROPERTIES}, with names of 1 to ${MAX_NAME_LENGTH} characters, and ${MAX_JSON_LENGTH} characters of JSON in all, without null characters`,
      },
    ),
  );
}

/** A property that the service gives: a client may send back what it has read, and it is left out. */
export function ReadOnlyField(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    Allow(),
    Transform(() => undefined),
  );
}

function split<T extends { extra?: Extra }>(value: T, source: object): T {
  const known = validatedNames(value.constructor as Dto);
  // A client may call a property of its own so.
  if (!known.delete('extra')) return value;
  const extra: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(source)) {
    if (known.has(name)) continue;
    extra[name] = content;
    Reflect.deleteProperty(value, name);
  }
  value.extra = extra;
  return value;
}

function validatedNames(dto: Dto): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}

function isKeepable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  const json = JSON.stringify(value);
  return (
    names.length <= MAX_PROPERTIES &&
    names.every((name) => name.length >= 1 && name.length <= MAX_NAME_LENGTH) &&
    json.length <= MAX_JSON_LENGTH &&
    // Written so by JSON, and refused by Postgres.
    !/\\u0000|\\ud[89a-f]/i.test(json)
  );
}
