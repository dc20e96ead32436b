import { StringField, StringListField } from '@cumulet/common/http/fields';
import { ApiExtraModels } from '@nestjs/swagger';
import { ArrayUnique } from 'class-validator';
import { LONGEST_NAME, LONGEST_TEXT, type NewDefinition } from '../definition.js';
import { IgnoredField } from '../ignored.field.js';
import { MappedPropertyDto } from '../properties/property.dto.js';
import { PropertyMapField, schemasOf } from '../properties/property-map.field.js';
import type { MetadefObject } from './object.entity.js';

/** Public source: Image API reference, "Create object" and "Update object". */
@ApiExtraModels(MappedPropertyDto)
export class ObjectDto {
  @StringField({ max: LONGEST_NAME })
  name: string;

  @StringField({ optional: true, min: 0, max: LONGEST_TEXT })
  description?: string;

  @StringListField({ optional: true, description: 'Properties that must be set.' })
  @ArrayUnique({ message: '$property must hold no name twice' })
  required?: string[];

  @PropertyMapField({ optional: true })
  properties?: Map<string, MappedPropertyDto>;
}

/** An object within a namespace, as it is read there too. */
export class ContainedObjectDto extends ObjectDto {
  @IgnoredField()
  self?: unknown;

  @IgnoredField()
  schema?: unknown;

  @IgnoredField()
  created_at?: unknown;

  @IgnoredField()
  updated_at?: unknown;
}

export function objectOf(dto: ObjectDto): NewDefinition<MetadefObject> {
  return {
    name: dto.name,
    description: dto.description ?? null,
    required: dto.required ?? [],
    properties: schemasOf(dto.properties),
  };
}
