import type { Constraint } from '../../constraints/property-schema.js';
import { isMap, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { textOfNumber, wholeOf, type Numeric } from '../../json/numbers.js';
import { booleanOf, numberOf, textOf } from '../../json/texts.js';
import type { TemplateFormat } from '../formats/template-format.js';
import type { CheckedConstraints } from '../read-template.js';
import { InvalidSchemaError } from '../template.errors.js';
import { checkedSchema, type ParameterSchema, type ParameterType } from './parameter-schema.js';

/** @throws InvalidSchemaError */
export function schemataOf(
  section: Json,
  { kind, version }: TemplateFormat,
  kept?: CheckedConstraints,
): readonly ParameterSchema[] {
  return kind === 'hot'
    ? hotParameterSchemata(section, version, kept)
    : cfnParameterSchemata(section, kept);
}

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
/** The first versions with these keys. */
const MODULO_SINCE = '2017-02-24';
const TAGS_SINCE = '2018-03-02';

/**
 * The section `parameters` of a HOT template. Public source: Heat template guide, "Parameters section".
 *
 * @param version the template's date, such as `2021-04-16`
 * @throws InvalidSchemaError
 */
export function hotParameterSchemata(
  section: Json,
  version: string,
  kept: CheckedConstraints = 'all',
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

const CFN_TYPES: readonly ParameterType[] = [
  'String',
  'Number',
  'CommaDelimitedList',
  'Json',
  'Boolean',
];

const CFN_KEYS = [
  'Type',
  'Default',
  'NoEcho',
  'AllowedValues',
  'AllowedPattern',
  'MaxLength',
  'MinLength',
  'MaxValue',
  'MinValue',
  'Description',
  'ConstraintDescription',
  'Label',
];

/**
 * The section `Parameters` of a template in AWS CloudFormation's format. Public source: AWS
 * CloudFormation User Guide, "Parameters".
 *
 * @throws InvalidSchemaError
 */
export function cfnParameterSchemata(
  section: Json,
  kept: CheckedConstraints = 'all',
): readonly ParameterSchema[] {
  if (section === null) return [];
  if (!isMap(section)) throw new InvalidSchemaError('Invalid Parameters, expected a mapping');
  return Object.entries(section).map(([name, declared]) =>
    checkedSchema(cfnSchemaOf(name, declared), kept),
  );
}

function cfnSchemaOf(name: string, declared: Json): ParameterSchema {
  const map = mappingOf(declared, CFN_KEYS, `parameter (${name})`);
  const written = textAt(map, 'Type');
  if (written === undefined)
    throw new InvalidSchemaError(`Missing parameter type for parameter: ${name}`);
  const type = CFN_TYPES.find((one) => one === written);
  if (type === undefined)
    throw new InvalidSchemaError(`Parameter '${name}' is invalid: Invalid type (${written})`);
  const description = textAt(map, 'ConstraintDescription');
  return {
    name,
    type,
    label: textAt(map, 'Label') ?? name,
    description: textAt(map, 'Description') ?? '',
    default: map['Default'] ?? undefined,
    hidden: textAt(map, 'NoEcho')?.toLowerCase() === 'true',
    immutable: false,
    tags: [],
    constraints: cfnConstraintsOf(map, name).map((one) =>
      description === undefined ? one : { ...one, description },
    ),
  };
}

function cfnConstraintsOf(map: JsonObject, name: string): readonly Constraint[] {
  const entity = `parameter (${name})`;
  const found: Constraint[] = [];
  if ('MinValue' in map || 'MaxValue' in map) {
    const [min, max] = ['MinValue', 'MaxValue'].map((key) => numberAt(map, key, entity));
    found.push({ kind: 'range', ...boundsOf(min, max, 'range') });
  }
  if ('MinLength' in map || 'MaxLength' in map) {
    const [min, max] = ['MinLength', 'MaxLength'].map((key) => integerAt(map, key, entity));
    found.push({ kind: 'length', ...boundsOf(min, max, 'length') });
  }
  if ('AllowedValues' in map)
    found.push({ kind: 'values', allowed: allowedOf(map['AllowedValues']) });
  if ('AllowedPattern' in map)
    found.push({ kind: 'pattern', pattern: patternOf(map['AllowedPattern']) });
  return found;
}

/** @throws InvalidSchemaError for anything but a map, or for an unknown key */
export function mappingOf(
  value: Json | undefined,
  known: readonly string[],
  entity: string,
): JsonObject {
  if (!isMap(value)) throw new InvalidSchemaError(`Invalid ${entity}, expected a mapping`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new InvalidSchemaError(`Invalid key '${unknown}' for ${entity}`);
  return value;
}

export function numberAt(map: JsonObject, key: string, entity: string): Numeric | undefined {
  const value = map[key];
  if (value === undefined || value === null) return undefined;
  const number = numberOf(value);
  if (number !== undefined) return number;
  throw new InvalidSchemaError(`${key} of ${entity} must be numeric; ${textOf(value)} is not`);
}

/** For lengths and steps. */
export function integerAt(map: JsonObject, key: string, entity: string): number | undefined {
  const number = numberAt(map, key, entity);
  if (number === undefined) return undefined;
  const whole = wholeOf(number);
  if (whole !== undefined) return Number(whole);
  throw new InvalidSchemaError(
    `${key} of ${entity} must be integer; ${textOfNumber(number)} is not`,
  );
}

/** @throws InvalidSchemaError without any bound */
export function boundsOf<Bound extends Numeric>(
  min: Bound | undefined,
  max: Bound | undefined,
  kind: 'range' | 'length',
): { readonly min?: Bound; readonly max?: Bound } {
  if (min === undefined && max === undefined)
    throw new InvalidSchemaError(
      `A ${kind} constraint must have a min value and/or a max value specified.`,
    );
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

export function allowedOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw new InvalidSchemaError('AllowedValues must be a list');
}

export function patternOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  throw new InvalidSchemaError('AllowedPattern must be a string');
}

/** For texts such as descriptions, which YAML may have read as numbers. */
export function textAt(map: JsonObject, key: string): string | undefined {
  const value = map[key];
  return value === undefined || value === null ? undefined : textOf(value);
}
