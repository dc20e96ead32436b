import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';
import { applyDecorators } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { hasNameLength, MAX_NAME_LENGTH } from '../definition.js';
import { AsSent, MappedPropertyDto, SHOWN_PROPERTIES } from './property.dto.js';

const MAX_PROPERTIES = 1000;

/** Properties by name; a body has them as an object, a DTO as a map. */
export function PropertyMapField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    AsSent(mapOf),
    CheckedField(
      isPropertyMap,
      `must be an object of at most ${MAX_PROPERTIES} properties, with names of 1 to ${MAX_NAME_LENGTH} characters`,
      SHOWN_PROPERTIES,
      { ...options, description: 'Properties by their names.' },
    ),
    ValidateNested({ message: '$property must hold objects' }),
  );
}

function mapOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(
    ([name, one]) => [name, plainToInstance(MappedPropertyDto, one)] as const,
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
