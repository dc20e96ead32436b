import { IMAGE_ATTRIBUTES, type ImageAttribute } from './image.attributes.js';

interface OpenApiSchema {
  type: string;
  properties: Record<string, Record<string, unknown>>;
  additionalProperties: { type: string };
}

/** The body of a create request for the OpenAPI document, from the table of attributes. */
export function newImageSchema(): OpenApiSchema {
  const settable = Object.entries<ImageAttribute>(IMAGE_ATTRIBUTES).filter(
    ([, { readOnly }]) => !readOnly,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(settable.map(([name, one]) => [name, openApiProperty(one)])),
    additionalProperties: { type: 'string' },
  };
}

/** OpenAPI 3.0 says of a nullable string what JSON schema says with two types. */
function openApiProperty(attribute: ImageAttribute): Record<string, unknown> {
  const { is_base: _isBase, readOnly: _readOnly, type, ...rest } = attribute;
  const types = [type].flat();
  return {
    ...rest,
    type: types.find((one) => one !== 'null') ?? 'string',
    ...(types.includes('null') ? { nullable: true } : {}),
  };
}
