import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';
import { Reads, type Sent } from '@cumulet/common/http/read-dto';
import { applyDecorators } from '@nestjs/common';
import { ValidateNested } from 'class-validator';
import { hasNameLength, MAX_NAME_LENGTH } from '../definition.js';
import { MappedPropertyDto, SHOWN_PROPERTIES } from './property.dto.js';

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
