import { expect, it } from '@jest/globals';
import type { ReadTemplate, ResourceDefinition } from './read-template.js';
import { outlineOf } from './template-reader.js';

const implementation = { kind: 'type', type: 'OS::Heat::Value' } as const;
const web = { kind: 'template', file: 'web.yaml' } as const;
const definition = { type: 'My::Value', implementation, properties: { value: 1 } };
const template = {
  description: 'One.',
  source: { template: { resources: {} }, environment: { parameters: {} }, files: { a: 'b' } },
  parameters: [],
  resources: {
    one: definition as unknown as ResourceDefinition,
    two: { ...definition, implementation: web } as unknown as ResourceDefinition,
  },
  outputs: { said: {} },
} as unknown as ReadTemplate;

it('an outline names nested templates, and omits definitions', () => {
  const two = { type: 'My::Value', implementation: web };
  const outline = {
    description: 'One.',
    source: { template: {}, environment: { parameters: {} }, files: { a: 'b' } },
    parameters: [],
    resources: { two },
  };
  expect(outlineOf(template)).toEqual(outline);
  expect(outlineOf({ ...template, nested: { one: template } })).toEqual({
    ...outline,
    resources: { one: { type: 'My::Value', implementation }, two },
    nested: { one: outline },
  });
});
