/**
 * Properties beyond those that an operation knows: Keystone keeps them for its clients (`email`,
 * whatever `--property` sets) and shows them beside the others.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { getMetadataStorage, IsOptional, ValidateBy } from 'class-validator';
import { ObjectField } from '@cumulet/common/http/fields';
import type { Extra } from './resource-options.js';

const MOST_PROPERTIES = 64;
const LONGEST_NAME = 255;
const LONGEST_JSON = 16_384;

type Dto = new () => { extra?: Extra };

/** The wrapper of a resource whose DTO has `@ExtraProperties() extra`: `{"user": {…}}`. */
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
        message: `$property of other properties must be at most ${MOST_PROPERTIES}, with names of 1 to ${LONGEST_NAME} characters, and ${LONGEST_JSON} characters of JSON in all, without null characters`,
      },
    ),
  );
}

function split<T extends { extra?: Extra }>(value: T, source: object): T {
  const known = knownNames(value.constructor as Dto);
  const extra: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(source)) {
    if (known.has(name)) continue;
    extra[name] = content;
    Reflect.deleteProperty(value, name);
  }
  value.extra = extra;
  return value;
}

/** The properties that the DTO validates; `extra` is not among them: it may be a client's own. */
function knownNames(dto: Dto): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  names.delete('extra');
  return names;
}

function isKeepable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  const json = JSON.stringify(value);
  return (
    names.length <= MOST_PROPERTIES &&
    names.every((name) => name.length >= 1 && name.length <= LONGEST_NAME) &&
    json.length <= LONGEST_JSON &&
    // Written so by JSON, and refused by Postgres.
    !/\\u0000|\\ud[89a-f]/i.test(json)
  );
}
