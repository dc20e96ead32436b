/**
 * JSON schema documents. Public source: Image API reference, "Image Schemas" and "Task Schemas".
 */
import { IMAGE_ATTRIBUTES } from '../images/image.attributes.js';
import { MEMBER_PROPERTIES, TASK_PROPERTIES } from './schema.properties.js';

export interface SchemaView {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links?: readonly { readonly rel: string; readonly href: string }[];
  readonly additionalProperties?: unknown;
}

export function imageSchemaView(): SchemaView {
  return {
    name: 'image',
    properties: IMAGE_ATTRIBUTES,
    additionalProperties: { type: 'string' },
    links: [
      { rel: 'self', href: '{self}' },
      { rel: 'enclosure', href: '{file}' },
      { rel: 'describedby', href: '{schema}' },
    ],
  };
}

export function imagesSchemaView(): SchemaView {
  return {
    name: 'images',
    properties: {
      images: { type: 'array', items: imageSchemaView() },
      first: { type: 'string' },
      next: { type: 'string' },
      schema: { type: 'string' },
    },
    links: [
      { rel: 'first', href: '{first}' },
      { rel: 'next', href: '{next}' },
      { rel: 'describedby', href: '{schema}' },
    ],
  };
}

export function memberSchemaView(): SchemaView {
  return { name: 'member', properties: MEMBER_PROPERTIES };
}

export function membersSchemaView(): SchemaView {
  return listSchema('members', memberSchemaView());
}

export function taskSchemaView(): SchemaView {
  return { name: 'task', properties: TASK_PROPERTIES };
}

/** A list leaves out what can be long. */
export function tasksSchemaView(): SchemaView {
  const { input: _input, result: _result, message: _message, ...listed } = TASK_PROPERTIES;
  return listSchema('tasks', { name: 'task', properties: listed });
}

function listSchema(name: string, items: SchemaView): SchemaView {
  return {
    name,
    properties: { [name]: { type: 'array', items }, schema: { type: 'string' } },
    links: [{ rel: 'describedby', href: '{schema}' }],
  };
}
