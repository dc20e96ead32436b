/** What metadata definitions consist of, as JSON schema. */
import { LONGEST_NAME } from '../definition.js';
import { LONGEST_DESCRIPTION } from '../namespaces/namespace.dto.js';
import { NAMESPACE_VISIBILITIES } from '../namespaces/namespace.entity.js';
import { PROPERTY_TYPES } from '../properties/property-schema.js';

type Properties = Readonly<Record<string, unknown>>;

const NAME = { type: 'string', maxLength: LONGEST_NAME };
const READ_ONLY = { type: 'string', readOnly: true };
const COUNT = { $ref: '#/definitions/positiveInteger' };
const COUNT_FROM_0 = { $ref: '#/definitions/positiveIntegerDefault0' };
const STRINGS = { $ref: '#/definitions/stringArray' };
const PROPERTIES = { $ref: '#/definitions/property' };
const TYPE = { type: 'string', enum: PROPERTY_TYPES };

export const PROPERTY_PROPERTIES: Properties = {
  name: NAME,
  title: { type: 'string' },
  description: { type: 'string' },
  operators: { type: 'array', items: { type: 'string' } },
  type: TYPE,
  required: STRINGS,
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

/** What the schemas of a property refer to. */
export const PROPERTY_DEFINITIONS: Properties = {
  positiveInteger: { type: 'integer', minimum: 0 },
  positiveIntegerDefault0: { allOf: [COUNT, { default: 0 }] },
  stringArray: { type: 'array', items: { type: 'string' }, uniqueItems: true },
};

/** What the schemas of whatever holds properties refer to. */
export const CONTAINER_DEFINITIONS: Properties = {
  ...PROPERTY_DEFINITIONS,
  property: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['title', 'type'],
      properties: PROPERTY_PROPERTIES,
    },
  },
};

export const TIMESTAMP_PROPERTIES: Properties = {
  created_at: { ...READ_ONLY, format: 'date-time', description: 'When it came to be.' },
  updated_at: { ...READ_ONLY, format: 'date-time', description: 'When it last changed.' },
};

const LINKS: Properties = { self: READ_ONLY, schema: READ_ONLY };

const OBJECT_CONTENT: Properties = {
  description: { type: 'string' },
  required: STRINGS,
  properties: PROPERTIES,
};

export const OBJECT_PROPERTIES: Properties = {
  name: NAME,
  ...OBJECT_CONTENT,
  ...LINKS,
  ...TIMESTAMP_PROPERTIES,
};

export const TAG_PROPERTIES: Properties = { name: NAME, ...TIMESTAMP_PROPERTIES };

export const ASSOCIATION_PROPERTIES: Properties = {
  name: { ...NAME, description: 'The resource type, by the name that Heat has for it.' },
  prefix: {
    ...NAME,
    description: 'What the names of properties start with on resources of this type.',
  },
  properties_target: {
    ...NAME,
    description: 'Which of a resource’s sets of metadata is meant, where it has several.',
  },
  ...TIMESTAMP_PROPERTIES,
};

export const NAMESPACE_PROPERTIES: Properties = {
  namespace: { ...NAME, description: 'Its name, which no other has.' },
  display_name: { ...NAME, description: 'What people read in place of its name.' },
  description: { type: 'string', maxLength: LONGEST_DESCRIPTION, description: 'What it is for.' },
  visibility: { type: 'string', enum: NAMESPACE_VISIBILITIES, description: 'Who sees it.' },
  protected: { type: 'boolean', description: 'Whether it is kept from being deleted.' },
  owner: { type: 'string', maxLength: 255, description: 'The project that it belongs to.' },
  ...TIMESTAMP_PROPERTIES,
  ...LINKS,
  resource_type_associations: listOf({
    name: { type: 'string' },
    prefix: { type: 'string' },
    properties_target: { type: 'string' },
  }),
  properties: PROPERTIES,
  objects: listOf({ name: { type: 'string' }, ...OBJECT_CONTENT }),
  tags: listOf({ name: { type: 'string' } }),
};

function listOf(properties: Properties): Properties {
  return { type: 'array', items: { type: 'object', properties } };
}
