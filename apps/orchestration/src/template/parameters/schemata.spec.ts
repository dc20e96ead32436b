import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../json/json.js';
import { InvalidSchemaError } from '../template.errors.js';
import { cfnParameterSchemata, hotParameterSchemata } from './parameter-schemata.js';

const NEWEST = '2021-04-16';

describe('hotParameterSchemata', () => {
  it('reads all keys of a parameter', () => {
    const declared = {
      type: 'string',
      label: 'Size',
      description: 'How large',
      default: 'm1.tiny',
      hidden: true,
      immutable: true,
      tags: ['a'],
      constraints: [
        { length: { min: 1, max: '20' }, description: 'Not long.' },
        { allowed_values: ['m1.tiny', 'm1.small'] },
        { allowed_pattern: '[a-z0-9.]+' },
        { custom_constraint: 'nova.flavor' },
      ],
    };
    expect(hotParameterSchemata({ flavor: declared }, NEWEST)).toEqual([
      {
        name: 'flavor',
        type: 'String',
        label: 'Size',
        description: 'How large',
        default: 'm1.tiny',
        hidden: true,
        immutable: true,
        tags: ['a'],
        constraints: [
          { kind: 'length', min: 1, max: 20, description: 'Not long.' },
          { kind: 'values', allowed: ['m1.tiny', 'm1.small'] },
          { kind: 'pattern', pattern: '[a-z0-9.]+' },
          { kind: 'custom', name: 'nova.flavor' },
        ],
      },
    ]);
  });

  it('uses the name as the default label', () => {
    const [read] = hotParameterSchemata({ n: { type: 'number' } }, NEWEST);
    expect(read).toMatchObject({ label: 'n', description: '', hidden: false, constraints: [] });
    expect(read?.default).toBeUndefined();
  });

  it('returns nothing for an empty section', () => {
    expect(hotParameterSchemata(null, NEWEST)).toEqual([]);
  });

  it.each<[Json, string]>([
    [[], 'Invalid parameters, expected a mapping'],
    [{ p: 'string' }, 'Invalid parameter (p), expected a mapping'],
    [{ p: { type: 'string', foo: 1 } }, "Invalid key 'foo' for parameter (p)"],
    [{ p: {} }, 'Missing parameter type for parameter: p'],
    [{ p: { type: 'String' } }, "Parameter 'p' is invalid: Invalid type (String)"],
    [{ p: { type: 'toString' } }, "Parameter 'p' is invalid: Invalid type (toString)"],
    [{ p: { type: 'string', tags: 'a' } }, 'Tags property should be a list for parameter: p'],
    [{ p: { type: 'string', hidden: 'maybe' } }, 'hidden of parameter p must be true or false'],
    [
      { p: { type: 'string', constraints: {} } },
      'Invalid parameter constraints for parameter p, expected a list',
    ],
    [
      { p: { type: 'string', constraints: [1] } },
      'Invalid parameter constraints, expected a mapping',
    ],
    [{ p: { type: 'string', constraints: [{}] } }, 'No constraint expressed'],
    [
      { p: { type: 'string', constraints: [{ lenght: {} }] } },
      "Invalid key 'lenght' for parameter constraints",
    ],
    [
      { p: { type: 'number', constraints: [{ range: {} }] } },
      'A range constraint must have a min value and/or a max value specified.',
    ],
    [
      { p: { type: 'number', constraints: [{ range: { min: 'a' } }] } },
      'min of a range constraint must be numeric; a is not',
    ],
    [
      { p: { type: 'string', constraints: [{ length: { min: 1.5 } }] } },
      'min of a length constraint must be integer; 1.5 is not',
    ],
    [
      { p: { type: 'number', constraints: [{ modulo: { step: 2 } }] } },
      'A modulo constraint must have a step value and an offset value specified.',
    ],
    [
      { p: { type: 'number', constraints: [{ modulo: { step: 0, offset: 0 } }] } },
      'step cannot be 0.',
    ],
    [
      { p: { type: 'number', constraints: [{ modulo: { step: 2, offset: 2 } }] } },
      'offset must be smaller (by absolute value) than step.',
    ],
    [
      { p: { type: 'number', constraints: [{ modulo: { step: -3, offset: 1 } }] } },
      'step and offset must be both positive or both negative.',
    ],
    [
      { p: { type: 'string', constraints: [{ allowed_values: 'a' }] } },
      'AllowedValues must be a list',
    ],
    [
      { p: { type: 'string', constraints: [{ allowed_pattern: 1 }] } },
      'AllowedPattern must be a string',
    ],
    [
      { p: { type: 'json', constraints: [{ allowed_values: [1] }] } },
      "Parameter 'p' is invalid: AllowedValues constraint invalid for Json",
    ],
    [
      { p: { type: 'comma_delimited_list', constraints: [{ allowed_pattern: 'a' }] } },
      "Parameter 'p' is invalid: AllowedPattern constraint invalid for CommaDelimitedList",
    ],
    [
      { p: { type: 'string', constraints: [{ allowed_pattern: '(' }] } },
      "Parameter 'p' is invalid: Invalid allowed_pattern: missing ), unterminated subpattern",
    ],
    [
      { p: { type: 'string', constraints: [{ allowed_pattern: String.raw`(a)\1` }] } },
      String.raw`Parameter 'p' is invalid: Invalid allowed_pattern: a back reference ('\1') is not supported`,
    ],
    [
      { p: { type: 'string', default: 'abc', constraints: [{ length: { max: 2 } }] } },
      `Parameter 'p' is invalid: Invalid default "abc" (length (3) is out of range (min: None, max: 2))`,
    ],
    [
      { p: { type: 'number', default: 'abc' } },
      `Parameter 'p' is invalid: Invalid default "abc" ('abc' is not a number)`,
    ],
    [
      { p: { type: 'number', default: 'hunter2', hidden: true } },
      "Parameter 'p' is invalid: Invalid default ****** ('******' is not a number)",
    ],
  ])('refuses %j', (section, message) => {
    expect(() => hotParameterSchemata(section, NEWEST)).toThrow(new InvalidSchemaError(message));
  });

  it("supports constraints and tags by the template's version", () => {
    const modulo = { p: { type: 'number', constraints: [{ modulo: { step: 2, offset: 0 } }] } };
    expect(() => hotParameterSchemata(modulo, '2016-10-14')).toThrow('No constraint expressed');
    expect(hotParameterSchemata(modulo, '2017-02-24')).toHaveLength(1);
    const tags = { p: { type: 'number', tags: ['a'] } };
    expect(() => hotParameterSchemata(tags, '2017-09-01')).toThrow("Invalid key 'tags'");
    expect(hotParameterSchemata(tags, '2018-03-02')).toHaveLength(1);
  });
});

describe('cfnParameterSchemata', () => {
  it('reads all keys of a parameter', () => {
    const declared = {
      Type: 'Number',
      Default: '5',
      NoEcho: 'TRUE',
      MinValue: '1',
      MaxValue: 9,
      AllowedValues: ['5', '6'],
      Description: 'How many',
      ConstraintDescription: 'A few.',
    };
    expect(cfnParameterSchemata({ Count: declared })).toEqual([
      {
        name: 'Count',
        type: 'Number',
        label: 'Count',
        description: 'How many',
        default: '5',
        hidden: true,
        immutable: false,
        tags: [],
        constraints: [
          { kind: 'range', min: 1, max: 9, description: 'A few.' },
          { kind: 'values', allowed: ['5', '6'], description: 'A few.' },
        ],
      },
    ]);
  });

  it.each<[Json, string]>([
    [{ P: { Type: 'string' } }, "Parameter 'P' is invalid: Invalid type (string)"],
    [{ P: { Type: 'String', foo: 1 } }, "Invalid key 'foo' for parameter (P)"],
    [
      { P: { Type: 'Json', AllowedPattern: 'a' } },
      "Parameter 'P' is invalid: AllowedPattern constraint invalid for Json",
    ],
    [
      { P: { Type: 'String', MinLength: 'x' } },
      'MinLength of parameter (P) must be numeric; x is not',
    ],
  ])('refuses %j', (section, message) => {
    expect(() => cfnParameterSchemata(section)).toThrow(new InvalidSchemaError(message));
  });
});
