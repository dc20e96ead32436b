/**
 * What a template declares of a parameter, the same for both formats of templates.
 *
 * Always holds: its constraints suit its type, and its default keeps them.
 */
import { CONSTRAINED, faultOf } from '../../constraints/constraint-check.js';
import { PythonPattern } from '../../constraints/python-pattern.js';
import { PatternFault } from '../../constraints/python-syntax.js';
import type { Constraint, PropertyType } from '../../constraints/property-schema.js';
import { stringifyExact } from '../../json/exact-json.js';
import type { Json } from '../../json/json.js';
import type { KeptConstraints, ReadParameter } from '../read-template.js';
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
export function checkedSchema(schema: ParameterSchema, kept: KeptConstraints): ParameterSchema {
  if (kept !== 'all')
    return { ...schema, constraints: kept === 'none' ? [] : schema.constraints.filter(isKnown) };
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
    if (constraint.kind === 'pattern') new PythonPattern(constraint.pattern);
  }
}

/** Patterns of templates that were taken before may be none by now. */
function isKnown(constraint: Constraint): boolean {
  try {
    if (constraint.kind === 'pattern') new PythonPattern(constraint.pattern);
    return true;
  } catch (error) {
    if (error instanceof PatternFault) return false;
    throw error;
  }
}

function checkDefault(schema: ParameterSchema): void {
  if (schema.default === undefined || schema.default === null) return;
  const typed = typedValue(schema.type, schema.default, schema.hidden);
  const isSecret = schema.hidden;
  const faults = schema.constraints.map((one) =>
    one.kind === 'custom' || 'fault' in typed
      ? undefined
      : faultOf(one, typed.value, PROPERTY_TYPES[schema.type], { isSecret }),
  );
  const fault = 'fault' in typed ? typed.fault : faults.find((one) => one !== undefined);
  if (fault === undefined) return;
  const shown = isSecret ? '******' : stringifyExact(schema.default);
  throw invalid(schema, `Invalid default ${shown} (${fault})`);
}

function invalid({ name }: ParameterSchema, text: string): InvalidSchemaError {
  return new InvalidSchemaError(`Parameter '${name}' is invalid: ${text}`);
}
