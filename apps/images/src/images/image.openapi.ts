import { IMAGE_ATTRIBUTES, type ImageAttribute } from './image.attributes.js';
import { OPERATIONS } from './patch/patch-request.js';

const SETTABLE = Object.entries<ImageAttribute>(IMAGE_ATTRIBUTES).filter(
  ([, { readOnly }]) => !readOnly,
);

/** The body of a create request for the OpenAPI document, from the table of attributes. */
export const NEW_IMAGE_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(SETTABLE.map(([name, one]) => [name, openApiProperty(one)])),
  additionalProperties: { type: 'string' },
};

/** The body of a change, in the form that clients use today. */
export const CHANGES_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['op', 'path'],
    properties: {
      op: { type: 'string', enum: [...OPERATIONS] },
      path: { type: 'string', description: 'A JSON pointer to an attribute or property.' },
      value: { description: 'What it is from now on; not for remove.' },
    },
  },
};

/** OpenAPI 3.0 marks as nullable what JSON schema gives two types. */
function openApiProperty(attribute: ImageAttribute): Record<string, unknown> {
  const { is_base: _isBase, readOnly: _readOnly, type, ...rest } = attribute;
  const types = [type].flat();
  return {
    ...rest,
    type: types.find((one) => one !== 'null') ?? 'string',
    ...(types.includes('null') ? { nullable: true } : {}),
  };
}
