/** Reads templates in tests, with two types and wide limits. */
import type { PropertySchema } from '../constraints/property-schema.js';
import { read } from './read.js';
import type { ReadTemplate, TemplateRequest } from './read-template.js';
import type { TypeFact, TypeFacts } from './type-facts.js';

export const LIMITS = {
  maxBytes: 32 * 1024 * 1024,
  maxNodes: 4_000_000,
  maxDepth: 100,
  maxAliases: 1_000,
};

const anything = (description: string): PropertySchema => ({
  type: 'any',
  description,
  updatable: true,
});

const value: TypeFact = {
  properties: {
    value: anything('The description.'),
    other: anything('Something else.'),
    flavor: {
      type: 'string',
      description: 'A flavor.',
      constraints: [{ kind: 'custom', name: 'nova.flavor' }],
    },
  },
  attributes: {
    value: { description: 'The description.' },
    other: { description: 'Something else.' },
  },
};

const TYPES: Readonly<Record<string, TypeFact>> = {
  'OS::Heat::Value': value,
  'OS::Heat::None': {
    properties: {},
    attributes: {},
    acceptsAnyProperty: true,
    isAttribute: () => true,
  },
  'Test::Group': { ...value, isAttribute: (name) => name.startsWith('resource.') },
  'Test::Last': {
    ...value,
    implicitRequires: (_, all) => Object.keys(all).filter((name) => name.startsWith('first')),
  },
};

export const testTypes: TypeFacts = {
  find: (name) => (Object.hasOwn(TYPES, name) ? TYPES[name] : undefined),
};

export function readTest(
  template: TemplateRequest['template'],
  rest: Partial<TemplateRequest> = {},
): ReadTemplate {
  const stack = { id: 'stack-id', name: 'stack-name', projectId: 'project-id' };
  return read({ template, stack, ...rest }, testTypes, LIMITS);
}

/** @param resources as YAML, indented by two spaces */
export function hot(resources: string, rest = ''): string {
  return `heat_template_version: wallaby\nresources:\n${resources}\n${rest}`;
}
