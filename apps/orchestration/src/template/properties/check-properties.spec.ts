import { describe, expect, it } from '@jest/globals';
import type { Expression } from '../expression.js';
import type { Json } from '../../json/json.js';
import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';
import { checkDefinition } from './check-definition.js';
import { resolveProperties } from './check-properties.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { ConstraintQuestion } from '../../constraints/constraint-check.js';

const of = (schema: Partial<PropertySchema>): PropertySchemas => ({
  p: { type: 'string', description: 'A property.', ...schema },
});

const call: Expression = {
  kind: 'call',
  name: 'get_attr',
  version: '2021-04-16',
  path: 'here',
  argument: { kind: 'value', value: ['other', 'id'] },
};
const value = (json: Json): Expression => ({ kind: 'value', value: json });
const map = (entries: Readonly<Record<string, Expression>>): Expression => ({
  kind: 'map',
  entries,
});

const NETWORKS: PropertySchemas = {
  networks: {
    type: 'list',
    description: 'Networks.',
    constraints: [{ kind: 'length', max: 2 }],
    schema: {
      '*': {
        type: 'map',
        description: 'One.',
        schema: {
          network: {
            type: 'string',
            description: 'Its name or id.',
            required: true,
            constraints: [{ kind: 'custom', name: 'neutron.network' }],
            translation: { resolves: 'neutron.network' },
          },
          uuid: {
            type: 'string',
            description: 'Its older name.',
            translation: { replacedBy: 'network' },
          },
          mtu: { type: 'integer', description: 'Its MTU.', default: 1500 },
        },
      },
    },
  },
};

describe('resolveProperties', () => {
  it.each<[Partial<PropertySchema>, Json, Json]>([
    [{ type: 'string' }, 5, '5'],
    [{ type: 'string' }, true, 'True'],
    [{ type: 'string' }, '', ''],
    [{ type: 'integer' }, '5', 5],
    [{ type: 'integer' }, '12345678901234567890', 12345678901234567890n],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'boolean' }, 'True', true],
    [{ type: 'boolean' }, false, false],
    [{ type: 'map' }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ type: 'map', converts: true }, [1], '[1]'],
    [{ type: 'map', converts: true }, 'text', 'text'],
    [{ type: 'list' }, [1, 'a'], [1, 'a']],
    [{ type: 'list', converts: true }, 'a,b', ['a', 'b']],
    [{ type: 'list', converts: true }, '', []],
    [{ type: 'any' }, [{ a: 1 }], [{ a: 1 }]],
    [{ type: 'string', default: 'x' }, null, 'x'],
    [{ type: 'string' }, null, null],
    [{ type: 'list', schema: { '*': { type: 'integer', description: 'One.' } } }, ['1', 2], [1, 2]],
  ])('%j of %j is %j', (schema, given, resolved) => {
    expect(resolveProperties(of(schema), { p: given })).toEqual({ p: resolved });
  });

  it.each<[Partial<PropertySchema>, Json, string, string]>([
    [{ type: 'string' }, [1], 'p', 'Value must be a string; got [1]'],
    [{ type: 'string' }, 1.5, 'p', 'Value must be a string; got 1.5'],
    [{ type: 'integer' }, 'x', 'p', "Value 'x' is not an integer"],
    [{ type: 'integer' }, 1.5, 'p', "Value '1.5' is not an integer"],
    [{ type: 'number' }, 'x', 'p', "Value 'x' is not a number"],
    [{ type: 'boolean' }, 'yes', 'p', '"yes" is not a valid boolean'],
    [{ type: 'boolean' }, 1, 'p', '"1" is not a valid boolean'],
    [{ type: 'map' }, 'x', 'p', '"x" is not a map'],
    [{ type: 'list' }, 'x', 'p', '"x" is not a list'],
    [{ required: true }, null, '', 'Property p not assigned'],
    [
      { constraints: [{ kind: 'length', max: 1 }] },
      'ab',
      'p',
      'length (2) is out of range (min: None, max: 1)',
    ],
    [
      { type: 'list', schema: { '*': { type: 'integer', description: 'One.' } } },
      [1, 'x'],
      'p[1]',
      "Value 'x' is not an integer",
    ],
    [
      { constraints: [{ kind: 'custom', name: 'ip_addr' }] },
      'x',
      'p',
      "Error validating value 'x': Invalid IP address",
    ],
  ])('%j refuses %j at %j: %s', (schema, given, path, message) => {
    const error = errorOf(() => resolveProperties(of(schema), { p: given }));
    expect(error).toBeInstanceOf(PropertyError);
    expect(error).toMatchObject({ path, message });
  });

  it.each<[Json, string, string]>([
    [{ netwroks: [] }, '', 'Unknown Property netwroks'],
    [
      { networks: [{ network: 'a', constructor: 1 }] },
      'networks[0]',
      'Unknown Property constructor',
    ],
    [{ networks: [{ network: 'a' }, {}] }, 'networks[1]', 'Property network not assigned'],
    [{ networks: ['a'] }, 'networks[0]', '"a" is not a map'],
    [{ networks: [{ network: 'a', mtu: 'x' }] }, 'networks[0].mtu', "Value 'x' is not an integer"],
    [
      { networks: [{ network: 'a', uuid: 'b' }] },
      'networks[0]',
      'Cannot define the following properties at the same time: network, uuid',
    ],
    ['text', '', 'It is not a map'],
  ])('refuses %j at %j', (given, path, message) => {
    expect(errorOf(() => resolveProperties(NETWORKS, given))).toMatchObject({ path, message });
  });

  it('moves the value of an older name to the newer one', () => {
    expect(resolveProperties(NETWORKS, { networks: [{ uuid: 'a' }] })).toEqual({
      networks: [{ network: 'a', uuid: null, mtu: 1500 }],
    });
  });

  it('is complete without any given property', () => {
    expect(resolveProperties(NETWORKS, null)).toEqual({ networks: null });
  });
});

describe('checkDefinition', () => {
  const check = (
    given: Expression,
    validate?: () => void,
  ): ReturnType<typeof checkDefinition> & { questions: ConstraintQuestion[] } => {
    const questions: ConstraintQuestion[] = [];
    const type = { properties: NETWORKS, ...(validate ? { validate } : {}) };
    return { ...checkDefinition(type, given, 'resources.web.properties', questions), questions };
  };

  it('skips values of resources', () => {
    const given = map({
      networks: { kind: 'list', items: [map({ network: call, mtu: value('9') })] },
    });
    expect(check(given)).toEqual({
      isWhole: false,
      questions: [],
      properties: { networks: [{ network: null, uuid: null, mtu: 9 }] },
    });
    expect(check(call)).toMatchObject({ isWhole: false });
    expect(check(map({ networks: call }))).toMatchObject({
      isWhole: false,
      properties: { networks: null },
    });
  });

  it('collects the questions for services', () => {
    const given = value({ networks: [{ network: 'a' }, { uuid: 'b' }] });
    const question = { constraint: 'neutron.network', path: 'resources.web.properties.networks' };
    expect(check(given)).toMatchObject({
      isWhole: true,
      questions: [
        { ...question, value: 'a', path: `${question.path}[0].network` },
        { ...question, value: 'b', path: `${question.path}[1].network` },
      ],
    });
  });

  it.each<[Expression, string]>([
    [map({ foo: call }), 'Property error: : resources.web.properties: : Unknown Property foo'],
    [
      map({ networks: { kind: 'list', items: [call, call, call] } }),
      'Property error: : resources.web.properties.networks: : length (3) is out of range (min: None, max: 2)',
    ],
    [
      map({ networks: { kind: 'list', items: [map({ mtu: call })] } }),
      'Property error: : resources.web.properties.networks[0]: : Property network not assigned',
    ],
    [
      map({ networks: { kind: 'list', items: [map({ network: map({ a: call }) })] } }),
      'Property error: : resources.web.properties.networks[0].network: : Value must be a string; got {"a":null}',
    ],
  ])('refuses %j', (given, message) => {
    expect(() => check(given)).toThrow(message);
  });

  it('checks across properties once all of them are known', () => {
    const refuse = (): never => {
      throw new PropertyError('networks', 'Too few.');
    };
    expect(() => check(value({}), refuse)).toThrow(
      'Property error: : resources.web.properties.networks: : Too few.',
    );
    expect(check(map({ networks: call }), refuse).isWhole).toBe(false);
  });
});

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
