/**
 * JSON schemas of resources, from which glanceclient builds its models. Public source: Image API
 * reference, "Image Schemas" and "Metadata Definition Schemas".
 */
import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authenticated } from '@cumulet/common/auth/access';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { listSchema, propertiesOf, SchemaView } from '../http/schema.view.js';
import { IMAGE_ATTRIBUTES } from '../images/image.attributes.js';
import { MemberView } from '../images/members/member.resource.js';
import { NamespaceDetailView } from '../metadefs/namespaces/namespace.dto.js';
import { MAX_NAME_LENGTH } from '../metadefs/namespaces/namespace.resource.js';
import { ObjectView } from '../metadefs/objects/object.resource.js';
import { PROPERTY_TYPES } from '../metadefs/properties/property.resource.js';
import { AssociationView } from '../metadefs/resource-types/resource-type.resource.js';
import { MetadefTagView } from '../metadefs/tags/tag.resource.js';
import { TaskSummary, TaskView } from '../tasks/task.dto.js';

type Properties = Readonly<Record<string, unknown>>;

const COUNT = { $ref: '#/definitions/positiveInteger' };
const COUNT_FROM_0 = { $ref: '#/definitions/positiveIntegerDefault0' };
const TYPE = { type: 'string', enum: PROPERTY_TYPES };

const PROPERTY: Properties = {
  name: { type: 'string', maxLength: MAX_NAME_LENGTH },
  title: { type: 'string' },
  description: { type: 'string' },
  operators: { type: 'array', items: { type: 'string' } },
  type: TYPE,
  required: { $ref: '#/definitions/stringArray' },
  minimum: { type: 'number' },
  maximum: { type: 'number' },
  maxLength: COUNT,
  minLength: COUNT_FROM_0,
  pattern: { type: 'string', format: 'regex' },
  enum: { type: 'array' },
  readonly: { type: 'boolean' },
  confidential: { type: 'boolean' },
  default: {},
  items: { type: 'object', properties: { type: TYPE, enum: { type: 'array' } } },
  maxItems: COUNT,
  minItems: COUNT_FROM_0,
  uniqueItems: { type: 'boolean', default: false },
  additionalItems: { type: 'boolean' },
};

const DEFINITIONS: Properties = {
  positiveInteger: { type: 'integer', minimum: 0 },
  positiveIntegerDefault0: { allOf: [COUNT, { default: 0 }] },
  stringArray: { type: 'array', items: { type: 'string' }, uniqueItems: true },
};

/** For schemas that contain properties. */
const CONTAINER_DEFINITIONS: Properties = {
  ...DEFINITIONS,
  property: {
    type: 'object',
    additionalProperties: { type: 'object', required: ['title', 'type'], properties: PROPERTY },
  },
};

const PROPERTIES = { properties: { $ref: '#/definitions/property' } };
const OBJECT = { ...propertiesOf(ObjectView), ...PROPERTIES };
const NAMESPACE = {
  ...propertiesOf(NamespaceDetailView),
  ...PROPERTIES,
  objects: { type: 'array', items: { type: 'object', properties: OBJECT } },
};

const namespace = item('namespace', NAMESPACE, ['namespace'], CONTAINER_DEFINITIONS);
const object = item('object', OBJECT, ['name'], CONTAINER_DEFINITIONS);
const association = item('resource_type_association', propertiesOf(AssociationView), ['name']);
const tag = item('tag', propertiesOf(MetadefTagView), ['name']);

/** By path below `/v2/schemas/metadefs`. */
const METADEF_SCHEMAS: Readonly<Record<string, MetadefSchema>> = {
  namespace,
  namespaces: listOf('namespaces', namespace),
  object,
  objects: listOf('objects', object),
  property: item('property', PROPERTY, ['type', 'title', 'name'], DEFINITIONS),
  properties: propertiesByName(item('property', PROPERTY, ['type', 'title'], DEFINITIONS)),
  resource_type: association,
  resource_types: listOf('resource_type_associations', association),
  tag,
  tags: listOf('tags', tag),
};

interface MetadefSchema extends SchemaView {
  readonly definitions?: Properties;
}

function item(
  name: string,
  properties: Properties,
  required: readonly string[],
  definitions?: Properties,
): MetadefSchema {
  const schema = { name, properties, additionalProperties: false, required };
  return { ...schema, ...(definitions ? { definitions } : {}) };
}

/** The definitions move from the item to the list. */
function listOf(name: string, { definitions, ...items }: MetadefSchema): MetadefSchema {
  const list = listSchema(name, items, ['first', 'next']);
  return Object.assign(list, definitions ? { definitions } : {});
}

function propertiesByName(property: MetadefSchema): MetadefSchema {
  const { definitions: _definitions, ...additionalProperties } = property;
  const list = listOf('properties', property);
  const properties = { type: 'object', additionalProperties };
  return { ...list, properties: { ...list.properties, properties } };
}

const IMAGE = {
  name: 'image',
  properties: IMAGE_ATTRIBUTES,
  additionalProperties: { type: 'string' },
  links: [
    { rel: 'self', href: '{self}' },
    { rel: 'enclosure', href: '{file}' },
    { rel: 'describedby', href: '{schema}' },
  ],
};

const MEMBER = { name: 'member', properties: propertiesOf(MemberView) };

const TASK = { name: 'task', properties: propertiesOf(TaskView) };
const LISTED_TASK = { name: 'task', properties: propertiesOf(TaskSummary) };

/** By path below `/v2/schemas`. */
const SCHEMAS: Readonly<Record<string, SchemaView>> = {
  image: IMAGE,
  images: listSchema('images', IMAGE, ['first', 'next']),
  member: MEMBER,
  members: listSchema('members', MEMBER),
  task: TASK,
  tasks: listSchema('tasks', LISTED_TASK),
  ...Object.fromEntries(
    Object.entries(METADEF_SCHEMAS).map(([name, schema]) => [`metadefs/${name}`, schema]),
  ),
};

const PATH = '/v2/schemas';

@Controller(PATH)
export class SchemasController {
  @Get(Object.keys(SCHEMAS))
  @Authenticated()
  @Operation('Show a schema', SchemaView)
  show(@Req() { routeOptions: { url = '' } }: FastifyRequest): SchemaView | undefined {
    return SCHEMAS[url.slice(`${PATH}/`.length)];
  }
}

@Feature({
  controllers: [SchemasController],
})
export class SchemasModule {}
