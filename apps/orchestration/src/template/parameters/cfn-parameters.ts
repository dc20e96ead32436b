/**
 * The section `Parameters` of a template in AWS CloudFormation's format. Public source: AWS
 * CloudFormation User Guide, "Parameters".
 */
import type { Constraint } from '../../constraints/property-schema.js';
import { isMap, type Json, type JsonObject } from '../../json/json.js';
import type { KeptConstraints } from '../read-template.js';
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

const TYPES: readonly ParameterType[] = [
  'String',
  'Number',
  'CommaDelimitedList',
  'Json',
  'Boolean',
];

const KEYS = [
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

/** @throws InvalidSchemaError */
export function cfnParameterSchemata(
  section: Json,
  kept: KeptConstraints = 'all',
): readonly ParameterSchema[] {
  if (section === null) return [];
  if (!isMap(section)) throw new InvalidSchemaError('Invalid Parameters, expected a mapping');
  return Object.entries(section).map(([name, declared]) =>
    checkedSchema(schemaOf(name, declared), kept),
  );
}

function schemaOf(name: string, declared: Json): ParameterSchema {
  const map = mappingOf(declared, KEYS, `parameter (${name})`);
  const written = textAt(map, 'Type');
  if (written === undefined)
    throw new InvalidSchemaError(`Missing parameter type for parameter: ${name}`);
  const type = TYPES.find((one) => one === written);
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
    constraints: constraintsOf(map, name).map((one) =>
      description === undefined ? one : { ...one, description },
    ),
  };
}

function constraintsOf(map: JsonObject, name: string): readonly Constraint[] {
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
