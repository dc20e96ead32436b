/**
 * The section `parameters` of a HOT template. Public source: Heat template guide, "Parameters section".
 */
import type { Constraint } from '../../constraints/property-schema.js';
import type { KeptConstraints } from '../read-template.js';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { booleanOf } from '../../json/texts.js';
import { InvalidSchemaError } from '../template.errors.js';
import {
  allowedOf,
  boundsOf,
  integerAt,
  mappingOf,
  numberAt,
  patternOf,
  textAt,
} from './declared.js';
import { checkedSchema, type ParameterSchema, type ParameterType } from './parameter-schema.js';

const TYPES: Readonly<Record<string, ParameterType>> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  comma_delimited_list: 'CommaDelimitedList',
  json: 'Json',
};

const KEYS = [
  'type',
  'description',
  'default',
  'schema',
  'constraints',
  'hidden',
  'label',
  'immutable',
];
const CONSTRAINTS = [
  'description',
  'length',
  'range',
  'modulo',
  'allowed_values',
  'allowed_pattern',
  'custom_constraint',
];
/** Versions of templates from which on these are known. */
const MODULO_SINCE = '2017-02-24';
const TAGS_SINCE = '2018-03-02';

/**
 * @param version the template's date: `2021-04-16`
 * @throws InvalidSchemaError
 */
export function hotParameterSchemata(
  section: Json,
  version: string,
  kept: KeptConstraints = 'all',
): readonly ParameterSchema[] {
  if (section === null) return [];
  if (!isMap(section)) throw new InvalidSchemaError('Invalid parameters, expected a mapping');
  return Object.entries(section).map(([name, declared]) =>
    checkedSchema(schemaOf(name, declared, version), kept),
  );
}

function schemaOf(name: string, declared: Json, version: string): ParameterSchema {
  const known = version >= TAGS_SINCE ? [...KEYS, 'tags'] : KEYS;
  const map = mappingOf(declared, known, `parameter (${name})`);
  const written = textAt(map, 'type');
  if (written === undefined)
    throw new InvalidSchemaError(`Missing parameter type for parameter: ${name}`);
  const type = ownOf(TYPES, written);
  if (type === undefined)
    throw new InvalidSchemaError(`Parameter '${name}' is invalid: Invalid type (${written})`);
  return {
    name,
    type,
    label: textAt(map, 'label') ?? name,
    description: textAt(map, 'description') ?? '',
    default: map['default'] ?? undefined,
    hidden: flagAt(map, 'hidden', name),
    immutable: flagAt(map, 'immutable', name),
    tags: tagsOf(map['tags'], name),
    constraints: constraintsOf(map['constraints'], name, version),
  };
}

function constraintsOf(
  declared: Json | undefined,
  name: string,
  version: string,
): readonly Constraint[] {
  if (declared === undefined || declared === null) return [];
  if (!Array.isArray(declared))
    throw new InvalidSchemaError(
      `Invalid parameter constraints for parameter ${name}, expected a list`,
    );
  return (declared as readonly Json[]).map((one) => {
    const map = mappingOf(one, CONSTRAINTS, 'parameter constraints');
    const constraint = constraintOf(map, version);
    const description = textAt(map, 'description');
    return description === undefined ? constraint : { ...constraint, description };
  });
}

function constraintOf(map: JsonObject, version: string): Constraint {
  if ('modulo' in map && version >= MODULO_SINCE) return moduloOf(map['modulo']);
  if ('range' in map) {
    const range = mappingOf(map['range'], ['min', 'max'], 'range constraint');
    const [min, max] = ['min', 'max'].map((key) => numberAt(range, key, 'a range constraint'));
    return { kind: 'range', ...boundsOf(min, max, 'range') };
  }
  if ('length' in map) {
    const length = mappingOf(map['length'], ['min', 'max'], 'length constraint');
    const [min, max] = ['min', 'max'].map((key) => integerAt(length, key, 'a length constraint'));
    return { kind: 'length', ...boundsOf(min, max, 'length') };
  }
  if ('allowed_values' in map) return { kind: 'values', allowed: allowedOf(map['allowed_values']) };
  if ('allowed_pattern' in map)
    return { kind: 'pattern', pattern: patternOf(map['allowed_pattern']) };
  const custom = textAt(map, 'custom_constraint');
  if (custom !== undefined) return { kind: 'custom', name: custom };
  throw new InvalidSchemaError('No constraint expressed');
}

function moduloOf(declared: Json | undefined): Constraint {
  const map = mappingOf(declared, ['step', 'offset'], 'modulo constraint');
  const [step, offset] = ['step', 'offset'].map((key) =>
    integerAt(map, key, 'a modulo constraint'),
  );
  if (step === undefined || offset === undefined)
    throw new InvalidSchemaError(
      'A modulo constraint must have a step value and an offset value specified.',
    );
  if (step === 0) throw new InvalidSchemaError('step cannot be 0.');
  if (Math.abs(offset) >= Math.abs(step))
    throw new InvalidSchemaError('offset must be smaller (by absolute value) than step.');
  if (step * offset < 0)
    throw new InvalidSchemaError('step and offset must be both positive or both negative.');
  return { kind: 'modulo', step, offset };
}

function flagAt(map: JsonObject, key: string, name: string): boolean {
  const value = map[key];
  if (value === undefined || value === null) return false;
  const flag = booleanOf(value);
  if (flag !== undefined) return flag;
  throw new InvalidSchemaError(`${key} of parameter ${name} must be true or false`);
}

function tagsOf(value: Json | undefined, name: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new InvalidSchemaError(`Tags property should be a list for parameter: ${name}`);
}
