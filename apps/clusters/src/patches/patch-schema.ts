import type { SchemaObject } from '@cumulet/common/http/openapi-schema';

const CHANGE: SchemaObject = {
  type: 'object',
  required: ['op', 'path'],
  properties: {
    op: { type: 'string', enum: ['add', 'replace', 'remove'] },
    path: { type: 'string', description: 'The attribute: /name, or within one: /labels/kube_tag.' },
    value: { description: 'The new value, for add and replace.' },
  },
};

export const PATCH_SCHEMA: SchemaObject = {
  oneOf: [CHANGE, { type: 'array', items: CHANGE }],
};
