import { expect, it } from '@jest/globals';
import { schemaOfExample } from './openapi-schema.js';

it('lets what is null in a sample be null', () => {
  expect(schemaOfExample({ detail: null })).toEqual({
    type: 'object',
    properties: { detail: { type: 'null' } },
    required: ['detail'],
  });
});

it('has a list of what is in it', () => {
  expect(schemaOfExample({ errors: [{ status: 404 }], links: [] }, 404)).toMatchObject({
    properties: {
      errors: { type: 'array', items: { properties: { status: { enum: [404] } } } },
      links: { type: 'array', items: {} },
    },
  });
});
