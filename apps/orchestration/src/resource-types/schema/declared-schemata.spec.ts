/** What the pages of all types declare can be checked, shown and found. */
import { describe, expect, it } from '@jest/globals';
import { expectRows } from '@cumulet/testing/expect-rows';
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
import type { ResourceType } from '../resource-type.js';
import { typedProperty } from '../../template/properties/check-properties.js';
import { typeTemplate } from './shown-schema.js';

const types = [...RESOURCE_TYPES.values()];

/** Judges each type, and names all that do not hold. */
function ofEachType(judge: (type: ResourceType) => void): () => Promise<void> {
  return () => expectRows(types, ({ name }) => name, judge);
}

function schemataOf(schemas: PropertySchemas, path = ''): [string, PropertySchema][] {
  return Object.entries(schemas).flatMap(([name, schema]): [string, PropertySchema][] => [
    [`${path}${name}`, schema],
    ...schemataOf(schema.schema ?? {}, `${path}${name}.`),
  ]);
}

/** What is wrong with a constraint of a type; undefined for a good one. */
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

describe('what types declare', () => {
  it(
    'has constraints that can be checked',
    ofEachType(({ properties }) => {
      const faults = schemataOf(properties).flatMap(([path, schema]) =>
        (schema.constraints ?? []).map((one) => [path, faultIn(one, schema)]),
      );
      expect(faults.filter(([, fault]) => fault !== undefined)).toEqual([]);
    }),
  );

  it(
    'has defaults of their types',
    ofEachType(({ properties }) => {
      for (const [path, schema] of schemataOf(properties)) {
        const { default: preset = null } = schema;
        if (preset !== null) expect(typedProperty(schema, preset, path)).toEqual(preset);
      }
    }),
  );

  it(
    'names what can be found, and newer names that there are',
    ofEachType(({ properties }) => {
      const siblings = (path: string): string => path.slice(0, path.lastIndexOf('.') + 1);
      const all = schemataOf(properties);
      for (const [path, { translation = {} }] of all) {
        const { resolves = 'neutron.network', replacedBy } = translation;
        expect(Object.keys(SERVICE_CONSTRAINTS)).toContain(resolves);
        if (replacedBy !== undefined)
          expect(all.map(([name]) => name)).toContain(`${siblings(path)}${replacedBy}`);
      }
    }),
  );

  it(
    'makes templates whose parameters can be read',
    ofEachType((type) => {
      const { parameters = null } = typeTemplate(type, 'hot');
      const { Parameters = null } = typeTemplate(type, 'cfn');
      const hot = hotParameterSchemata(parameters, '2021-04-16').map(({ name }) => name);
      expect(cfnParameterSchemata(Parameters).map(({ name }) => name)).toEqual(hot);
    }),
  );
});
