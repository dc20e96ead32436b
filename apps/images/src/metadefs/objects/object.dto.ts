/** Objects on the wire. Public source: Image API reference, "Metadata definition objects". */
import { StringField, StringListField } from '@cumulet/common/http/fields';
import { Shown, viewOf } from '@cumulet/common/http/shown';
import { ApiExtraModels } from '@nestjs/swagger';
import { timestamp, TimestampsView } from '../../images/timestamp.js';
import { SchemaPath } from '../../http/schema.view.js';
import {
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  NAMESPACES_PATH,
  type NewDefinition,
} from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import {
  MappedPropertyDto,
  PropertyMapField,
  schemaOf,
  SHOWN_PROPERTIES,
} from '../properties/property.dto.js';
import type { MetadefObject } from './object.entity.js';

@ApiExtraModels(MappedPropertyDto)
export class ObjectDto {
  @StringField({ max: MAX_NAME_LENGTH })
  name: string;

  @StringField({ optional: true, min: 0, max: MAX_TEXT_LENGTH })
  description?: string;

  @StringListField({
    optional: true,
    description: 'Properties that must be set.',
    distinct: 'must hold no name twice',
  })
  required?: string[];

  @PropertyMapField({ optional: true })
  properties?: Map<string, MappedPropertyDto>;
}

/** An object within a namespace, also when read with it. */
@Ignoring('self', 'schema', 'created_at', 'updated_at')
export class ContainedObjectDto extends ObjectDto {}

/** An object, and the name of its namespace. */
type PlacedObject = Omit<MetadefObject, 'namespaceId'> & { readonly namespace: string };

export class ObjectView extends TimestampsView {
  @Shown(String, 'Its name in the namespace.', { schema: { maxLength: MAX_NAME_LENGTH } })
  name: string;

  @Shown(String, 'What it is for.', { optional: true })
  description?: string;

  @Shown([String], 'Properties that must be set.', { schema: { uniqueItems: true } })
  required: string[];

  @Shown(Object, 'Its properties by their names.', { schema: SHOWN_PROPERTIES })
  properties: MetadefObject['properties'];

  @Shown<PlacedObject>(String, 'Its path.', {
    from: ({ namespace, name }) => `${NAMESPACES_PATH}/${namespace}/objects/${name}`,
    schema: { readOnly: true },
  })
  self: string;

  @SchemaPath('metadefs/object')
  schema: string;
}

export class ObjectList {
  @Shown([() => ObjectView], 'The objects of the namespace, the oldest first.')
  objects: ObjectView[];

  @SchemaPath('metadefs/objects')
  schema: string;
}

const view = viewOf<PlacedObject, ObjectView>(ObjectView, timestamp);

/** @param namespace the name of its namespace */
export function objectView(
  object: Omit<MetadefObject, 'namespaceId'>,
  namespace: string,
): ObjectView {
  return view({ ...object, namespace });
}

export function objectOf(dto: ObjectDto): NewDefinition<MetadefObject> {
  const properties = [...(dto.properties ?? [])].map(([name, one]) => [name, schemaOf(one)]);
  return {
    name: dto.name,
    description: dto.description ?? null,
    required: dto.required ?? [],
    properties: Object.fromEntries(properties) as MetadefObject['properties'],
  };
}
