import { isStorable } from '@cumulet/common/database/storable';
import { CheckedField } from '@cumulet/common/http/fields';
import { applyDecorators } from '@nestjs/common';
import { getSchemaPath } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { hasNameLength, LONGEST_NAME, type NewDefinition } from '../definition.js';
import { AsSent } from './as-sent.js';
import type { MetadefProperty } from './property.entity.js';
import { MappedPropertyDto, schemaOf } from './property.dto.js';
import type { PropertySchemas } from './property-schema.js';

const MOST = 1000;

/** Properties by their names; a body has them as an object, a DTO as a map. */
export function PropertyMapField(options: { readonly optional?: boolean } = {}): PropertyDecorator {
  return applyDecorators(
    AsSent(mapOf),
    CheckedField(
      isPropertyMap,
      `must be an object of at most ${MOST} properties, with names of 1 to ${LONGEST_NAME} characters`,
      { type: 'object', additionalProperties: { $ref: getSchemaPath(MappedPropertyDto) } },
      { ...options, description: 'Properties by their names.' },
    ),
    ValidateNested({ message: '$property must hold objects' }),
  );
}

export function schemasOf(properties?: ReadonlyMap<string, MappedPropertyDto>): PropertySchemas {
  return Object.fromEntries([...(properties ?? [])].map(([name, dto]) => [name, schemaOf(dto)]));
}

export function propertiesOf(
  properties?: ReadonlyMap<string, MappedPropertyDto>,
): NewDefinition<MetadefProperty>[] {
  return [...(properties ?? [])].map(([name, dto]) => ({ name, schema: schemaOf(dto) }));
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
    value.size <= MOST &&
    [...value.keys()].every((name: string) => hasNameLength(name) && isStorable(name))
  );
}
