import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../json/json.js';
import { hotParameterSchemata } from './parameter-schemata.js';
import { readParameters, refuseImmutableChanges, type ReadParameters } from './read-parameters.js';
import { shownParameters, validatedParameter } from './parameter-view.js';

interface Given {
  readonly given?: JsonObject;
  readonly defaults?: JsonObject;
  readonly allowsMissing?: boolean;
}

function read(
  section: Json,
  { given = {}, defaults = {}, allowsMissing = false }: Given = {},
): ReadParameters {
  const schemata = hotParameterSchemata(section, '2021-04-16');
  return readParameters({ schemata, given, defaults, allowsMissing });
}

const valueOf = (type: string, given: Json): Json | undefined =>
  read({ p: { type } }, { given: { p: given } }).values['p'];

describe('values of parameters', () => {
  it.each<[string, Json, Json]>([
    ['string', 'a', 'a'],
    ['string', 1.5, '1.5'],
    ['string', true, 'True'],
    ['string', '', ''],
    ['string', { a: 1 }, '{"a":1}'],
    ['number', '5', 5],
    ['number', ' 1.50 ', 1.5],
    ['number', '1e3', Object(1000)],
    ['number', '123456789012345678901', 123456789012345678901n],
    ['number', 0, 0],
    ['boolean', 'Yes', true],
    ['boolean', 'off', false],
    ['boolean', 1, true],
    ['boolean', false, false],
    ['comma_delimited_list', 'a,b', ['a', 'b']],
    ['comma_delimited_list', '', []],
    ['comma_delimited_list', [1, true, 'x'], ['1', 'True', 'x']],
    ['json', '{"a": [1]}', { a: [1] }],
    ['json', { a: [1] }, { a: [1] }],
    ['json', '', ''],
  ])('%s: %j is %j', (type, given, value) => {
    expect(valueOf(type, given)).toEqual(value);
  });

  it.each<[string, Json, string]>([
    ['number', 'foo', "Parameter 'p' is invalid: 'foo' is not a number"],
    ['number', true, "Parameter 'p' is invalid: 'True' is not a number"],
    ['number', '0x10', "Parameter 'p' is invalid: '0x10' is not a number"],
    ['boolean', 'foo', "Unrecognized value 'foo', acceptable values are: true, false"],
    ['comma_delimited_list', 5, 'Value must be a comma-delimited list string: 5'],
    ['json', '{"a"', 'Value must be valid JSON'],
  ])('%s refuses %j', (type, given, message) => {
    expect(() => valueOf(type, given)).toThrow(message);
  });

  it('prefers given values to defaults of the environment, and these to those of the template', () => {
    const section = { p: { type: 'string', default: 'template' } };
    expect(read(section).values).toEqual({ p: 'template' });
    expect(read(section, { defaults: { p: 'env', q: 'other' } }).values).toEqual({ p: 'env' });
    const both = { defaults: { p: 'env' }, given: { p: 'given' } };
    expect(read(section, both).values).toEqual({ p: 'given' });
    expect(read(section, { given: { p: null } }).values).toEqual({ p: 'template' });
  });

  it('names a missing one', () => {
    expect(() => read({ p: { type: 'string' } })).toThrow('The Parameter (p) was not provided.');
    const { parameters, values } = read({ p: { type: 'string' } }, { allowsMissing: true });
    expect(values).toEqual({});
    expect(parameters[0]?.value).toBeUndefined();
  });

  it('names an undeclared one', () => {
    expect(() => read({}, { given: { q: 1 } })).toThrow(
      'The Parameter (q) was not defined in template.',
    );
  });

  it('does not confuse one with a property of Object', () => {
    expect(() => read({}, { given: JSON.parse('{"__proto__": 1}') as JsonObject })).toThrow(
      'The Parameter (__proto__) was not defined in template.',
    );
    const section = { constructor: { type: 'string' } };
    expect(() => read(section)).toThrow('The Parameter (constructor) was not provided.');
  });

  it('checks formats at once, and leaves other constraints to services', () => {
    const of = (name: string): JsonObject => ({
      p: { type: 'string', constraints: [{ custom_constraint: name }] },
    });
    expect(read(of('nova.flavor'), { given: { p: 'big' } }).questions).toEqual([
      { constraint: 'nova.flavor', value: 'big', path: 'parameters.p' },
    ]);
    expect(read(of('ip_addr'), { given: { p: '10.0.0.1' } }).questions).toEqual([]);
    expect(() => read(of('ip_addr'), { given: { p: 'x' } })).toThrow(
      "Parameter 'p' is invalid: Error validating value 'x': Invalid IP address",
    );
    expect(() => read(of('no.such'), { given: { p: 'x' } })).toThrow(
      `Parameter 'p' is invalid: "x" does not validate no.such (constraint not found)`,
    );
    expect(() => read(of('cinder.volume'), { given: { p: 'x' } })).toThrow(
      'this cloud has no volumes',
    );
  });

  it('never quotes a hidden one', () => {
    const section = {
      p: { type: 'string', hidden: true, constraints: [{ allowed_pattern: 'a' }] },
      q: { type: 'json', hidden: true },
    };
    const refusals = [{ p: 'hunter2' }, { p: 'a', q: '{"hunter2"' }];
    for (const given of refusals) {
      expect(() => read(section, { given })).toThrow(/^(?!.*hunter2)/);
    }
  });

  it('names the part of a value that a pattern cannot judge', () => {
    const section = {
      p: { type: 'string', constraints: [{ allowed_pattern: String.raw`\ba.*` }] },
    };
    expect(() => read(section, { given: { p: 'aß' } })).toThrow(
      String.raw`Parameter 'p' is invalid: '\b' knows words of ASCII alone, and the value has others`,
    );
  });
});

describe('shown parameters', () => {
  const section = {
    text: { type: 'string', default: 'a', label: 'Text' },
    secret: {
      type: 'string',
      hidden: true,
      constraints: [{ length: { min: 1 }, description: 'Some.' }],
    },
    list: { type: 'comma_delimited_list' },
    json: { type: 'json' },
    flag: { type: 'boolean', default: 'no' },
    none: { type: 'number' },
  };
  const given = { secret: 'hunter2', list: 'a,b', json: { a: 1 } };
  const { parameters } = read(section, { given, allowsMissing: true });
  const stack = { id: 'i', name: 'n', projectId: 'p' };

  it('are texts, with hidden ones masked and the pseudo parameters', () => {
    const version = 'heat_template_version.2021-04-16';
    expect(shownParameters({ parameters, version }, stack)).toEqual({
      'OS::stack_id': 'i',
      'OS::stack_name': 'n',
      'OS::project_id': 'p',
      text: 'a',
      secret: '******',
      list: 'a,b',
      json: '{"a":1}',
      flag: 'False',
    });
  });

  it("have AWS's names in AWS's format", () => {
    const version = 'AWSTemplateFormatVersion.2010-09-09';
    expect(shownParameters({ parameters: [], version }, stack)).toEqual({
      'AWS::StackId': 'arn:openstack:heat::p:stacks/n/i',
      'AWS::StackName': 'n',
      'AWS::Region': 'ap-southeast-1',
    });
  });

  it('have schemata', () => {
    const shown = Object.fromEntries(parameters.map((one) => [one.name, validatedParameter(one)]));
    expect(shown['text']).toEqual({
      Type: 'String',
      Description: '',
      NoEcho: 'false',
      Label: 'Text',
      Default: 'a',
    });
    expect(shown['secret']).toEqual({
      Type: 'String',
      Description: '',
      NoEcho: 'true',
      Label: 'secret',
      Value: 'hunter2',
      MinLength: 1,
      ConstraintDescription: 'Some.',
    });
    expect(shown['none']).not.toHaveProperty('Default');
  });
});

describe('refuseImmutableChanges', () => {
  const of = (value: Json, immutable = true): ReadParameters['parameters'] =>
    read({ p: { type: 'json', immutable } }, { given: { p: value } }).parameters;

  it('names all that would change', () => {
    expect(() => refuseImmutableChanges(of({ a: 1 }), of({ a: 2 }))).toThrow(
      'The following parameters are immutable and may not be updated: p',
    );
  });

  it.each([
    ['the same value', of({ a: 1 }), of('{"a": 1}')],
    ['what is no longer immutable', of(1), of(2, false)],
    ['what is new', [], of(2)],
    ['what is gone', of(1), []],
  ])('accepts %s', (_name, before, after) => {
    expect(() => refuseImmutableChanges(before, after)).not.toThrow();
  });
});
