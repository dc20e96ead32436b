/** The declarations of all types are consistent. */
import { describe, expect, it } from '@jest/globals';
import { CONSTRAINED, faultOf } from '../../constraints/constraint-check.js';
import { FORMAT_CONSTRAINTS } from '../../constraints/format-constraints.js';
import { PythonPattern } from '../../constraints/python-pattern.js';
import {
  SERVICE_CONSTRAINTS,
  UNSUPPORTED_CONSTRAINTS,
} from '../../constraints/service-constraints.js';
import {
  cfnParameterSchemata,
  hotParameterSchemata,
} from '../../template/parameters/parameter-schemata.js';
import type {
  Constraint,
  PropertySchema,
  PropertySchemas,
} from '../../constraints/property-schema.js';
import { RESOURCE_TYPES } from '../registry.js';
import { typedProperty } from '../../template/properties/check-properties.js';
import { typeTemplate } from './shown-schema.js';

const types = [...RESOURCE_TYPES.values()].map((type) => [type.name, type] as const);

function schemataOf(schemas: PropertySchemas, path = ''): [string, PropertySchema][] {
  return Object.entries(schemas).flatMap(([name, schema]): [string, PropertySchema][] => [
    [`${path}${name}`, schema],
    ...schemataOf(schema.schema ?? {}, `${path}${name}.`),
  ]);
}

/** The fault in a type's constraint, or undefined. */
function faultIn(constraint: Constraint, schema: PropertySchema): string | undefined {
  if (!CONSTRAINED[constraint.kind].includes(schema.type)) return `not of ${schema.type}`;
  if (constraint.kind === 'custom') {
    const tables = [FORMAT_CONSTRAINTS, SERVICE_CONSTRAINTS, UNSUPPORTED_CONSTRAINTS];
    const isKnown = tables.some((table) => Object.hasOwn(table, constraint.name));
    return isKnown ? undefined : `${constraint.name} is not known`;
  }
  if (constraint.kind === 'pattern') new PythonPattern(constraint.pattern);
  const { default: preset = null } = schema;
  return preset === null ? undefined : faultOf(constraint, preset, schema.type);
}

describe('the declaration of a type', () => {
  it.each(types)('has constraints that can be checked: %s', (_, { properties }) => {
    const faults = schemataOf(properties).flatMap(([path, schema]) =>
      (schema.constraints ?? []).map((one) => [path, faultIn(one, schema)]),
    );
    expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
  });

  it.each(types)('has defaults of their types: %s', (_, { properties }) => {
    for (const [path, schema] of schemataOf(properties)) {
      const { default: preset = null } = schema;
      if (preset !== null) expect(typedProperty(schema, preset, path)).toEqual(preset);
    }
  });

  it.each(types)('refers to existing constraints and properties: %s', (_, type) => {
    const siblings = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1);
    const all = schemataOf(type.properties);
    for (const [path, { translation = {} }] of all) {
      const { resolves = 'neutron.network', replacedBy } = translation;
      expect(Object.keys(SERVICE_CONSTRAINTS)).toContain(resolves);
      if (replacedBy !== undefined)
        expect(all.map(([name]) => name)).toContain(`${siblings(path)}${replacedBy}`);
    }
  });

  it.each(types)('generates templates with readable parameters: %s', (_, type) => {
    const { parameters = null } = typeTemplate(type, 'hot');
    const { Parameters = null } = typeTemplate(type, 'cfn');
    const hot = hotParameterSchemata(parameters, '2021-04-16').map(({ name }) => name);
    expect(cfnParameterSchemata(Parameters).map(({ name }) => name)).toEqual(hot);
  });
});
