import { describe, expect, it } from '@jest/globals';
import { evaluate } from './evaluate.js';
import { hot, readTest } from './read.fixture.js';

describe('a template', () => {
  it('is read to definitions', () => {
    const read = readTest(
      `
heat_template_version: 2021-04-16
description: Two of them
parameters:
  size: {type: number, default: 3}
parameter_groups:
- {label: all, parameters: [size]}
conditions:
  large: {not: {equals: [{get_param: size}, 1]}}
  small: {not: large}
resources:
  one:
    type: OS::Heat::Value
    deletion_policy: retain
    description: The first
    properties:
      value: {get_param: size}
      other: {if: [large, big]}
  two:
    type: OS::Heat::Value
    depends_on: [one, gone]
    metadata: {of: {get_resource: one}}
    properties:
      value: [{get_attr: [one, value, 0]}, {get_attr: [three, other]}]
  three: {type: OS::Heat::None}
  gone: {type: OS::Heat::Value, condition: small}
outputs:
  all: {description: All, value: {get_attr: [three]}}
  none: {value: {get_attr: [gone, value]}, condition: small}
`,
    );

    expect(read).toMatchObject({
      version: 'heat_template_version.2021-04-16',
      description: 'Two of them',
      parameterGroups: [{ label: 'all', parameters: ['size'] }],
      conditions: { large: true, small: false },
      questions: [],
    });
    expect(Object.keys(read.resources)).toEqual(['one', 'two', 'three']);
    expect(read.resources['one']).toEqual({
      name: 'one',
      type: 'OS::Heat::Value',
      description: 'The first',
      implementation: { kind: 'type', type: 'OS::Heat::Value' },
      properties: { kind: 'value', value: { value: 3, other: 'big' } },
      metadata: { kind: 'value', value: {} },
      requires: [],
      asks: {},
      deletionPolicy: 'Retain',
      updatePolicy: { kind: 'value', value: {} },
      externalId: undefined,
      hooks: [],
      restrictedActions: [],
    });
    expect(read.resources['two']).toMatchObject({
      requires: ['one', 'three'],
      asks: { one: ['value'], three: ['other'] },
      deletionPolicy: 'Delete',
    });
    expect(read.outputs).toMatchObject({
      all: { description: 'All', asks: { three: ['*'] } },
      none: {
        description: 'No description given',
        value: { kind: 'value', value: null },
        asks: {},
      },
    });
  });

  it('is read in the format of AWS CloudFormation', () => {
    const read = readTest({
      AWSTemplateFormatVersion: '2010-09-09',
      Parameters: { Size: { Type: 'Number', Default: '3' } },
      Mappings: { Names: { '3': { short: 'three' } } },
      Conditions: { Large: { 'Fn::Equals': [{ Ref: 'Size' }, 3] } },
      Resources: {
        One: {
          Type: 'OS::Heat::Value',
          Condition: 'Large',
          DeletionPolicy: 'Retain',
          UpdateReplacePolicy: 'Retain',
          Properties: {
            value: { 'Fn::FindInMap': ['Names', '3', 'short'] },
            other: { Ref: 'AWS::StackName' },
          },
        },
        Two: {
          Type: 'OS::Heat::Value',
          DependsOn: 'One',
          Properties: { value: { 'Fn::GetAtt': ['One', 'value'] }, other: { Ref: 'One' } },
        },
      },
      Outputs: { It: { Value: { Ref: 'Two' } } },
    });

    expect(read).toMatchObject({
      version: 'AWSTemplateFormatVersion.2010-09-09',
      description: 'No description',
      conditions: { Large: true },
    });
    expect(read.resources['One']).toMatchObject({
      deletionPolicy: 'Retain',
      properties: { kind: 'value', value: { value: 'three', other: 'stack-name' } },
    });
    expect(read.resources['Two']).toMatchObject({ requires: ['One'], asks: { One: ['value'] } });
  });

  it('has questions for services, with their paths', () => {
    const { questions } = readTest(
      hot('  a: {type: OS::Heat::Value, properties: {flavor: m1.small}}'),
    );

    expect(questions).toMatchObject([
      { constraint: 'nova.flavor', value: 'm1.small', path: 'resources.a.properties.flavor' },
    ]);
  });

  it('is read with its environment', () => {
    const { resources, source } = readTest(
      hot(
        '  a: {type: My::Type, properties: {value: {get_param: size}}}\n  b: {type: web.yaml}\n  c: {type: web.yaml, properties: {size: {get_attr: [b, address]}}}',
        'parameters: {size: {type: string}}',
      ),
      {
        environment:
          'parameters: {size: 2}\nresource_registry: {"My::*": OS::Heat::Value, resources: {a: {hooks: pre-create}}}',
        parameters: { size: 'three' },
        files: {
          'web.yaml':
            'heat_template_version: rocky\nparameters: {size: {type: string, default: s}}\noutputs: {address: {value: 1}}',
        },
      },
    );

    expect(resources['a']).toMatchObject({
      implementation: { kind: 'type', type: 'OS::Heat::Value' },
      properties: { kind: 'value', value: { value: 'three' } },
      hooks: ['pre-create'],
    });
    expect(resources['b']).toMatchObject({
      implementation: { kind: 'template', file: 'web.yaml' },
    });
    expect(source.environment).toMatchObject({ parameters: { size: 'three' } });
  });

  it('may lack parameters if it is only validated', () => {
    const template = hot(
      '  a: {type: OS::Heat::Value, properties: {value: {str_replace: {template: x, params: {y: {get_param: size}}}}}}',
      'parameters: {size: {type: string}}',
    );

    expect(() => readTest(template)).toThrow('The Parameter (size) was not provided.');
    expect(readTest(template, { allowsMissing: true }).resources['a']?.properties.kind).toBe('map');
  });

  it('may not lack parameters that its conditions need', () => {
    const conditions =
      'conditions: {c: {equals: [{get_param: size}, 1]}}\nparameters: {size: {type: string}}';
    const template = hot('  a: {type: OS::Heat::Value, condition: c}', conditions);

    expect(() => readTest(template, { allowsMissing: true })).toThrow(
      'The Parameter (size) was not provided.',
    );
    expect(readTest(hot('', conditions), { allowsMissing: true }).conditions).toEqual({});
  });

  it('may refer to undeclared parameters in outputs', () => {
    const { outputs } = readTest(hot('', 'outputs: {o: {value: [{get_param: foo}]}}'));
    const references = { referenceOf: () => null, attributeOf: () => null };
    const value = outputs['o']?.value ?? { kind: 'value', value: null };

    expect(() => evaluate(value, references)).toThrow('The Parameter (foo) was not provided.');
  });

  it('may refer to the resource above if it is only validated', () => {
    const template = hot(
      '  a: {type: OS::Heat::Value, deletion_policy: {resource_facade: deletion_policy}}',
    );

    expect(() => readTest(template)).toThrow('make up a resource');
    expect(readTest(template, { allowsMissing: true }).resources['a']).toBeDefined();
  });

  it('includes the implicit dependencies of types', () => {
    const { resources } = readTest(
      hot(
        '  last: {type: Test::Last}\n  first1: {type: OS::Heat::Value}\n  other: {type: OS::Heat::Value}',
      ),
    );

    expect(resources['last']?.requires).toEqual(['first1']);
  });

  it('retains external resources', () => {
    const { resources } = readTest(
      hot(
        '  a: {type: OS::Heat::Value}\n  b: {type: OS::Heat::Value, external_id: {get_param: "OS::stack_id"}, deletion_policy: Delete}',
      ),
    );

    expect(resources['b']).toMatchObject({
      externalId: { kind: 'value', value: 'stack-id' },
      deletionPolicy: 'Retain',
      requires: [],
    });
  });
});

describe('large templates', () => {
  const lines = (resources: number): string =>
    hot(
      Array.from(
        { length: resources },
        (_, index) =>
          `  r${index}:\n    type: OS::Heat::Value\n    properties:\n      value: {str_replace: {template: a, params: {b: {get_attr: [r${Math.max(0, index - 1)}, value]}}}}\n      other: ${index}`,
      )
        .join('\n')
        .replace('{get_attr: [r0, value]}', 'c'),
    );

  it('of 10,000 lines are read', () => {
    expect(Object.keys(readTest(lines(2_000)).resources)).toHaveLength(2_000);
  });

  it('of 300,000 lines are read if the limit allows it', () => {
    const text = `heat_template_version: rocky\nresources:\n${'  # nothing\n'.repeat(100_000)}  a:\n    type: OS::Heat::None\n    properties:\n${Array.from({ length: 200_000 }, (_, index) => `      p${index}: v`).join('\n')}`;

    expect(readTest(text).resources['a']?.properties.kind).toBe('value');
  });

  it('may have long chains, in which cycles are found', () => {
    const link = (index: number, to: number) => [
      `r${index}`,
      { type: 'OS::Heat::None', depends_on: `r${to}` },
    ];
    const chain = Array.from({ length: 20_000 }, (_, index) => link(index, index + 1));
    const template = (end: unknown[]) => ({
      heat_template_version: 'rocky',
      resources: Object.fromEntries([...chain, end]) as never,
    });

    expect(() => readTest(template(['r20000', { type: 'OS::Heat::None' }]))).not.toThrow();
    expect(() => readTest(template(link(20_000, 0)))).toThrow(
      'Circular Dependency Found: r0 -> r1',
    );
  });
});
