import { expect, it } from '@jest/globals';
import { schemaOfExample } from './openapi-schema.js';

it('lets what is null in a sample be null', () => {
  expect(schemaOfExample({ detail: null })).toEqual({
    type: 'object',
    properties: { detail: { type: 'null' } },
    required: ['detail'],
  });
});
