import { expect, it } from '@jest/globals';
import { schemaOfExample } from './openapi-schema.js';

it('makes properties nullable that are null in a sample', () => {
  expect(schemaOfExample({ detail: null })).toEqual({
    type: 'object',
    properties: { detail: { type: 'null' } },
    required: ['detail'],
  });
});

it('derives lists from their items', () => {
  expect(schemaOfExample({ errors: [{ status: 404 }], links: [] }, 404)).toMatchObject({
    properties: {
      errors: { type: 'array', items: { properties: { status: { enum: [404] } } } },
      links: { type: 'array', items: {} },
    },
  });
});
