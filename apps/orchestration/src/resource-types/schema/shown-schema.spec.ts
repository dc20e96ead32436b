import { describe, expect, it } from '@jest/globals';
import {
  cfnParameterSchemata,
  hotParameterSchemata,
} from '../../template/parameters/parameter-schemata.js';
import { shownType, typeTemplate, type ShownType } from './shown-schema.js';

const THING: ShownType = {
  name: 'OS::Test::Thing',
  description: 'A thing.',
  support: { status: 'SUPPORTED', version: '5.0.0' },
  properties: {
    name: {
      type: 'string',
      description: 'The name.',
      required: true,
      updatable: true,
      constraints: [{ kind: 'length', min: 1, max: 9, description: 'Short.' }],
    },
    old_name: {
      type: 'string',
      description: 'Its older name.',
      support: { status: 'HIDDEN' },
      translation: { replacedBy: 'name' },
    },
    size: {
      type: 'integer',
      description: 'Its size.',
      default: 2,
      immutable: true,
      constraints: [
        { kind: 'range', min: 1 },
        { kind: 'modulo', step: 2, offset: 0 },
      ],
    },
    on: { type: 'boolean', description: 'Whether it is on.', default: false },
    networks: {
      type: 'list',
      description: 'Networks.',
      schema: {
        '*': {
          type: 'map',
          description: 'One.',
          schema: { id: { type: 'string', description: 'The ID.' } },
        },
      },
    },
    image: {
      type: 'string',
      description: 'An image.',
      constraints: [{ kind: 'custom', name: 'glance.image' }],
    },
  },
  attributes: {
    address: { type: 'string', description: 'The address.' },
    secret: { description: 'Not for all.', support: { status: 'HIDDEN' } },
  },
};

describe('shownType', () => {
  it("shows schemata in the API's form", () => {
    const shown = { required: false, update_allowed: false, immutable: false };
    const id = { ...shown, type: 'string', description: 'The ID.' };
    expect(shownType(THING, false)).toEqual({
      resource_type: 'OS::Test::Thing',
      properties: {
        name: {
          ...shown,
          type: 'string',
          description: 'The name.',
          required: true,
          update_allowed: true,
          constraints: [{ length: { min: 1, max: 9 }, description: 'Short.' }],
        },
        size: {
          ...shown,
          type: 'integer',
          description: 'Its size.',
          default: 2,
          immutable: true,
          constraints: [{ range: { min: 1 } }, { modulo: { step: 2, offset: 0 } }],
        },
        on: { ...shown, type: 'boolean', description: 'Whether it is on.', default: false },
        networks: {
          ...shown,
          type: 'list',
          description: 'Networks.',
          schema: { '*': { ...shown, type: 'map', description: 'One.', schema: { id } } },
        },
        image: {
          ...shown,
          type: 'string',
          description: 'An image.',
          constraints: [{ custom_constraint: 'glance.image' }],
        },
      },
      attributes: {
        address: { type: 'string', description: 'The address.' },
        show: { type: 'map', description: 'Detailed information about resource.' },
      },
      support_status: {
        status: 'SUPPORTED',
        version: '5.0.0',
        message: null,
        previous_status: null,
      },
    });
  });

  it('includes the description on request', () => {
    expect(shownType(THING, true)).toMatchObject({ description: 'A thing.' });
  });
});

describe('typeTemplate', () => {
  it('is a HOT template of the type', () => {
    const template = typeTemplate(THING, 'hot');
    expect(template).toMatchObject({
      heat_template_version: '2016-10-14',
      description: 'Initial template of Thing',
      resources: {
        Thing: {
          type: 'OS::Test::Thing',
          properties: { name: { get_param: 'name' }, networks: { get_param: 'networks' } },
        },
      },
      outputs: {
        address: { value: { get_attr: ['Thing', 'address'] }, description: 'The address.' },
        show: { value: { get_attr: ['Thing', 'show'] } },
        'OS::stack_id': { value: { get_resource: 'Thing' } },
      },
    });
    expect(template['parameters']).toEqual({
      name: {
        type: 'string',
        description: 'The name.',
        constraints: [{ length: { min: 1, max: 9 } }],
      },
      size: {
        type: 'number',
        description: 'Its size.',
        default: 2,
        constraints: [{ range: { min: 1 } }, { modulo: { step: 2, offset: 0 } }],
      },
      on: { type: 'boolean', description: 'Whether it is on.', default: false },
      networks: { type: 'comma_delimited_list', description: 'Networks.' },
      image: {
        type: 'string',
        description: 'An image.',
        constraints: [{ custom_constraint: 'glance.image' }],
      },
    });
  });

  it("is a template in AWS's format", () => {
    const template = typeTemplate(THING, 'cfn');
    expect(template).toMatchObject({
      HeatTemplateFormatVersion: '2012-12-12',
      Resources: {
        Thing: {
          Type: 'OS::Test::Thing',
          Properties: {
            name: { Ref: 'name' },
            networks: { 'Fn::Split': [',', { Ref: 'networks' }] },
          },
        },
      },
      Outputs: {
        address: { Value: { 'Fn::GetAtt': ['Thing', 'address'] }, Description: 'The address.' },
        'OS::stack_id': { Value: { Ref: 'Thing' } },
      },
    });
    expect(template['Parameters']).toMatchObject({
      name: { Type: 'String', MinLength: 1, MaxLength: 9 },
      size: { Type: 'Number', Default: 2, MinValue: 1 },
      on: { Type: 'Boolean', AllowedValues: ['True', 'true', 'False', 'false'] },
      networks: { Type: 'CommaDelimitedList' },
    });
  });

  it('has valid parameters', () => {
    const hot = typeTemplate(THING, 'hot')['parameters'] ?? null;
    expect(hotParameterSchemata(hot, '2021-04-16')).toHaveLength(5);
    expect(cfnParameterSchemata(typeTemplate(THING, 'cfn')['Parameters'] ?? null)).toHaveLength(5);
  });
});
