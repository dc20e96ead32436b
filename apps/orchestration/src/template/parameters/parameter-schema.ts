/**
 * What a template declares of a parameter, the same for both formats of templates.
 *
 * Always holds: its constraints suit its type, and its default keeps them.
 */
import { CONSTRAINED, faultOf } from '../../constraints/constraint-check.js';
import { compilePattern, PatternFault } from '../../constraints/python-pattern.js';
import { matchesWithinLimit } from '../../constraints/match-pattern.js';
import type { Constraint, PropertyType } from '../../resource-types/property-schema.js';
import type { Json } from '../json.js';
import type { ReadParameter } from '../read-template.js';
import { InvalidSchemaError } from '../template.errors.js';
import { typedValue } from './typed-value.js';

export type ParameterType = ReadParameter['type'];

export interface ParameterSchema {
  readonly name: string;
  readonly type: ParameterType;
  readonly label: string;
  readonly description: string;
  /** As the template has it: not yet of the type. */
  readonly default?: Json | undefined;
  readonly hidden: boolean;
  readonly immutable: boolean;
  readonly tags: readonly string[];
  readonly constraints: readonly Constraint[];
}

/** The type of property that a parameter is like. */
export const PROPERTY_TYPES: Readonly<Record<ParameterType, PropertyType>> = {
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
  CommaDelimitedList: 'list',
  Json: 'map',
};

const KINDS: Readonly<Record<Constraint['kind'], string>> = {
  length: 'Length',
  range: 'Range',
  modulo: 'Modulo',
  values: 'AllowedValues',
  pattern: 'AllowedPattern',
  custom: 'CustomConstraint',
};

/** @throws InvalidSchemaError for what no value could keep */
export function checkedSchema(schema: ParameterSchema): ParameterSchema {
  try {
    checkKinds(schema);
    checkDefault(schema);
  } catch (error) {
    if (!(error instanceof PatternFault)) throw error;
    throw invalid(schema, `Invalid allowed_pattern: ${error.message}`);
  }
  return schema;
}

function checkKinds(schema: ParameterSchema): void {
  const { type, constraints } = schema;
  const unfit = constraints.find(({ kind }) => !CONSTRAINED[kind].includes(PROPERTY_TYPES[type]));
  if (unfit) throw invalid(schema, `${KINDS[unfit.kind]} constraint invalid for ${type}`);
  for (const constraint of constraints) {
    if (constraint.kind === 'pattern') compilePattern(constraint.pattern);
  }
}

function checkDefault(schema: ParameterSchema): void {
  if (schema.default === undefined || schema.default === null) return;
  const typed = typedValue(schema.type, schema.default, schema.hidden);
  const isSecret = schema.hidden;
  const options = { matches: matchesWithinLimit, isSecret };
  const faults = schema.constraints.map((one) =>
    one.kind === 'custom' || 'fault' in typed
      ? undefined
      : faultOf(one, typed.value, PROPERTY_TYPES[schema.type], options),
  );
  const fault = 'fault' in typed ? typed.fault : faults.find((one) => one !== undefined);
  if (fault === undefined) return;
  const shown = isSecret ? '******' : JSON.stringify(schema.default);
  throw invalid(schema, `Invalid default ${shown} (${fault})`);
}

function invalid({ name }: ParameterSchema, text: string): InvalidSchemaError {
  return new InvalidSchemaError(`Parameter '${name}' is invalid: ${text}`);
}
