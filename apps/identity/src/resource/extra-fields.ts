/**
 * Properties beyond those that an operation knows: Keystone keeps them for its clients (`email`,
 * whatever `--property` sets) and shows them beside the others.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiHideProperty } from '@nestjs/swagger';
import { Allow, IsOptional, ValidateBy } from 'class-validator';
import { ObjectField } from '@cumulet/common/http/fields';
import { KeepsOthers, PartField, Reads } from '@cumulet/common/http/read-dto';

/** Properties that Keystone keeps for its clients without a meaning of its own (`email`). */
export type Extra = Readonly<Record<string, unknown>>;

const MAX_PROPERTIES = 64;
const MAX_NAME_LENGTH = 255;
const MAX_JSON_LENGTH = 16_384;

type Dto = new () => object & { extra?: Extra };

/** The wrapper of a resource, `{"user": {…}}`, whose DTO may have `@ExtraProperties() extra`. */
export function ExtensibleField(dto: () => Dto): PropertyDecorator {
  return applyDecorators(ObjectField(dto), PartField(dto, { keepsOthers: true }));
}

/** Where what is left over goes. */
export function ExtraProperties(): PropertyDecorator {
  return applyDecorators(
    ApiHideProperty(),
    KeepsOthers(),
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
    // Written so by JSON, and refused by Postgres.
    !/\\u0000|\\ud[89a-f]/i.test(json)
  );
}
