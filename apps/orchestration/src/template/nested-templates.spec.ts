import { describe, expect, it } from '@jest/globals';
import { hot, readTest } from './read.fixture.js';
import type { ReadTemplate, TemplateRequest } from './read-template.js';

const WEB = `
heat_template_version: rocky
parameters: {flavor: {type: string}, port: {type: number, default: 80}}
conditions: {large: {equals: [{get_param: flavor}, large]}}
resources:
  server: {type: OS::Heat::Value, properties: {flavor: {get_param: flavor}}}
outputs: {address: {value: 1}}
`;

function read(
  resources: string,
  files: Record<string, string> = { 'web.yaml': WEB },
  rest: Partial<TemplateRequest> = {},
): ReadTemplate {
  return readTest(hot(resources), { files, showsNested: true, ...rest });
}

describe('a nested template', () => {
  it('is read with the known parameters', () => {
    const { nested, questions } = read('  a: {type: web.yaml, properties: {flavor: small}}');

    expect(nested?.['a']?.parameters).toMatchObject([
      { name: 'flavor', value: 'small' },
      { name: 'port', value: 80 },
    ]);
    expect(questions).toMatchObject([
      {
        value: 'small',
        path: 'resources.a<web.yaml>.resources.server.properties.flavor',
      },
    ]);
  });

  it('is returned on request only', () => {
    const { nested } = read('  a: {type: web.yaml, properties: {flavor: x}}', undefined, {
      showsNested: false,
    });

    expect(nested).toBeUndefined();
  });

  it('may need values of resources', () => {
    const { nested, resources } = read(
      '  v: {type: OS::Heat::Value}\n  a: {type: web.yaml, properties: {flavor: {get_attr: [v, value]}}}',
    );

    expect(resources['a']?.requires).toEqual(['v']);
    expect(nested?.['a']?.conditions).toEqual({});
  });

  it.each<[string, string, Record<string, string>, string]>([
    [
      'an unknown property',
      '  a: {type: web.yaml, properties: {foo: 1}}',
      { 'web.yaml': WEB },
      'Property error: : resources.a.properties: : Unknown Property foo',
    ],
    ['a missing one', '  a: {type: web.yaml}', { 'web.yaml': WEB }, 'Property flavor not assigned'],
    [
      'an unknown attribute',
      '  a: {type: web.yaml, properties: {flavor: x}}\n  b: {type: OS::Heat::Value, properties: {value: {get_attr: [a, foo]}}}',
      { 'web.yaml': WEB },
      'The Referenced Attribute (a foo) is incorrect',
    ],
    [
      'a wrong type within',
      '  a: {type: b.yaml}',
      { 'b.yaml': hot('  c: {type: OS::No::Thing}') },
      'resources.a<b.yaml>.resources.c.type: : The Resource Type (OS::No::Thing) could not be found.',
    ],
    [
      'a reference within',
      '  a: {type: b.yaml}',
      { 'b.yaml': hot('  c: {type: OS::Heat::Value, depends_on: d}') },
      'resources.a<b.yaml>: : The specified reference "d" (in resources.c.depends_on) is incorrect.',
    ],
    [
      'a text that is none',
      '  a: {type: b.yaml}',
      { 'b.yaml': 'a: [' },
      'Error parsing template b.yaml',
    ],
    [
      'itself',
      '  a: {type: b.yaml}',
      { 'b.yaml': hot('  c: {type: c.yaml}'), 'c.yaml': hot('  d: {type: b.yaml}') },
      'The template b.yaml is made of itself: b.yaml -> c.yaml -> b.yaml',
    ],
    [
      'a file that is not there',
      '  a: {type: http://127.0.0.1/b.yaml}',
      {},
      'resources.a.type: : Failed to retrieve template data',
    ],
  ])('is refused for %s', (_, resources, files, message) => {
    expect(() => read(resources, files)).toThrow(message);
  });

  it('is read once for the same parameters', () => {
    const resources = Array.from(
      { length: 500 },
      (_, index) => `  a${index}: {type: web.yaml, properties: {flavor: small}}`,
    );
    const { nested, questions } = read(resources.join('\n'));

    expect(nested?.['a0']).toBe(nested?.['a499']);
    expect(questions).toHaveLength(1);
  });
});
