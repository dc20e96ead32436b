import { expect, it } from '@jest/globals';
import type { ReadTemplate, ResourceDefinition } from './read-template.js';
import { outlineOf } from './template-outline.js';

const implementation = { kind: 'type', type: 'OS::Heat::Value' } as const;
const one = { type: 'My::Value', implementation, properties: { value: 1 } };
const template = {
  description: 'One.',
  source: { template: { resources: {} }, environment: { parameters: {} }, files: { a: 'b' } },
  parameters: [],
  resources: { one: one as unknown as ResourceDefinition },
  outputs: { said: {} },
} as unknown as ReadTemplate;

it('says what there is, and nothing of what it is to be', () => {
  const outline = {
    description: 'One.',
    source: { template: {}, environment: { parameters: {} }, files: { a: 'b' } },
    parameters: [],
    resources: { one: { type: 'My::Value', implementation } },
  };
  expect(outlineOf(template)).toEqual(outline);
  expect(outlineOf({ ...template, nested: { one: template } })).toEqual({
    ...outline,
    nested: { one: outline },
  });
});
