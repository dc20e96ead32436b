/** Public source: Image API reference, "Metadata definition objects". */
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, bodyOf, columnsGiven, rowOf } from '@cumulet/common/resources/classes';
import { json, orAbsent, text, textList } from '@cumulet/common/resources/field-type';
import { answerClass, Shown, viewOf } from '@cumulet/common/http/shown';
import { ApiExtraModels } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { SchemaPath } from '../../http/schema.view.js';
import { timestamp } from '../../images/timestamp.js';
import {
  definition,
  Definitions,
  inNamespace,
  LONG_TEXT,
  NAMESPACES_PATH,
  type NewDefinition,
} from '../definitions.js';
import { Ignoring } from '../metadef-requests.js';
import {
  MappedPropertyDto,
  PropertyMapField,
  type PropertySchema,
  schemaOf,
  SHOWN_PROPERTIES,
} from '../properties/property.resource.js';

const OBJECT = {
  ...definition('metadef_objects'),
  description: attribute(orAbsent(text(LONG_TEXT)), { about: 'A description.' }),
  required: attribute(textList({ distinct: 'must hold no name twice' }), {
    about: 'The names of the properties that must be set.',
    default: [],
    schema: { uniqueItems: true },
    column: { default: undefined },
  }),
  properties: shownOnly(json<Readonly<Record<string, PropertySchema>>>(), {
    about: 'The properties by their names.',
    schema: SHOWN_PROPERTIES,
  }),
} as const;

/** Groups properties under one name. */
@Entity('metadef_objects')
export class MetadefObject extends rowOf(OBJECT, inNamespace('metadef_objects')) {}

export const metadefObjects = new Definitions(MetadefObject, 'object');

@ApiExtraModels(MappedPropertyDto)
export class ObjectDto extends bodyOf(OBJECT) {
  @PropertyMapField({ optional: true })
  properties?: Map<string, MappedPropertyDto>;
}

/** An object in the body of a namespace, which may be sent back as it was read. */
@Ignoring('self', 'schema', 'created_at', 'updated_at')
export class ContainedObjectDto extends ObjectDto {}

type PlacedObject = Omit<MetadefObject, 'namespaceId'> & { readonly namespace: string };

export class ObjectView extends answerOf(OBJECT, {
  self: Shown<PlacedObject>(String, 'The path of the object.', {
    from: ({ namespace, name }) => `${NAMESPACES_PATH}/${namespace}/objects/${name}`,
    schema: { readOnly: true },
  }),
  schema: SchemaPath('metadefs/object'),
}) {}

export const ObjectList = answerClass('ObjectList', {
  objects: Shown([() => ObjectView], 'The objects of the namespace, oldest first.'),
  schema: SchemaPath('metadefs/objects'),
});

const view = viewOf<PlacedObject, ObjectView>(ObjectView, timestamp);

export function objectView(object: Omit<MetadefObject, 'namespaceId'>, namespace: string): object {
  return view({ ...object, namespace });
}

export function objectOf(dto: ObjectDto): NewDefinition<MetadefObject> {
  const properties = [...(dto.properties ?? [])].map(([name, one]) => [name, schemaOf(one)]);
  return {
    ...columnsGiven(OBJECT, dto),
    properties: Object.fromEntries(properties) as MetadefObject['properties'],
  };
}
