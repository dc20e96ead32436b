import { describe, expect, it } from '@jest/globals';
import { LookupError, resolveNames } from '../../constraints/service-lookups.js';
import type { ReadParameter } from '../read-template.js';
import type { PropertySchema, PropertySchemas } from '../../constraints/property-schema.js';
import { parameterProperties } from './check-definition.js';

const named: PropertySchema = {
  type: 'string',
  description: 'A name or id.',
  translation: { resolves: 'neutron.network' },
};

const schemas: PropertySchemas = {
  name: { type: 'string', description: 'A name.', updatable: true },
  network: named,
  groups: { type: 'list', description: 'Names.', schema: { '*': named }, updatable: true },
  ports: {
    type: 'list',
    description: 'Ports.',
    schema: { '*': { type: 'map', description: 'One.', schema: { network: named } } },
  },
  zone: { type: 'string', description: 'A zone.', immutable: true },
};

const lookups = {
  find: (constraint: string, value: string): Promise<string> =>
    value === 'none'
      ? Promise.reject(new LookupError('The network (none) could not be found.'))
      : Promise.resolve(`${constraint}/${value}`),
};

describe('resolveNames', () => {
  it('resolves names at any depth', async () => {
    const given = { name: 'a', network: 'n', groups: ['g'], ports: [{ network: 'm' }], zone: null };
    expect(await resolveNames(schemas, given, lookups)).toEqual({
      name: 'a',
      network: 'neutron.network/n',
      groups: ['neutron.network/g'],
      ports: [{ network: 'neutron.network/m' }],
      zone: null,
    });
  });

  it('makes no request for absent values', async () => {
    const given = { name: null, network: '', groups: [], ports: null, zone: null };
    expect(await resolveNames(schemas, given, lookups)).toEqual(given);
  });

  it('names the path of a value that is not found', async () => {
    const given = { ports: [{ network: 'm' }, { network: 'none' }] };
    await expect(resolveNames(schemas, given, lookups)).rejects.toMatchObject({
      path: 'ports[1].network',
      message: 'The network (none) could not be found.',
    });
  });
});

describe('parameterProperties', () => {
  it('can be updated in any way', () => {
    const parameter: ReadParameter = {
      name: 'list',
      type: 'CommaDelimitedList',
      label: 'list',
      description: 'Some.',
      hidden: false,
      immutable: true,
      tags: [],
      constraints: { MinLength: 1 },
    };
    const preset: ReadParameter = { ...parameter, name: 'text', type: 'String', default: '' };
    expect(parameterProperties([parameter, preset])).toEqual({
      list: { type: 'list', description: 'Some.', updatable: true, required: true, converts: true },
      text: { type: 'string', description: 'Some.', updatable: true },
    });
  });
});
