/** JSON schema documents of images. Public source: Image API reference, "Image Schemas". */
import { IMAGE_ATTRIBUTES } from '../images/image.attributes.js';

export interface SchemaView {
  readonly name: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
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
