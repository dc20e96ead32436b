/**
 * A parameter's declaration, in a form that all template formats share.
 *
 * Always holds: its constraints suit its type, and its default meets them.
 */
import { CONSTRAINED, faultOf } from '../../constraints/constraint-check.js';
import type { Constraint, PropertyType } from '../../constraints/property-schema.js';
import { PythonPattern } from '../../constraints/python-pattern.js';
import { PatternFault } from '../../constraints/python-syntax.js';
import { parseExact, stringifyExact } from '../../json/exact-json.js';
import type { Json } from '../../json/json.js';
import { booleanOf, numberOf, textOf } from '../../json/texts.js';
import type { CheckedConstraints, ReadParameter } from '../read-template.js';
import { InvalidSchemaError } from '../template.errors.js';

export type ParameterType = ReadParameter['type'];

export interface ParameterSchema {
  readonly name: string;
  readonly type: ParameterType;
  readonly label: string;
  readonly description: string;
  /** Not converted to the type yet. */
  readonly default?: Json | undefined;
  readonly hidden: boolean;
  readonly immutable: boolean;
  readonly tags: readonly string[];
  readonly constraints: readonly Constraint[];
}

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

/** @throws InvalidSchemaError if no value could be valid */
export function checkedSchema(schema: ParameterSchema, kept: CheckedConstraints): ParameterSchema {
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

/** Stored templates may have patterns that are refused by now. */
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

export type TypedValue = { readonly value: Json } | { readonly fault: string };

/**
 * Converts a parameter's value, which clients send as text or JSON, to its type. Public source: Heat
 * template guide, "Parameters section".
 *
 * @param given not null
 * @param isSecret whether the value is left out of the message
 */
export function typedValue(
  type: ReadParameter['type'],
  given: Json,
  isSecret: boolean,
): TypedValue {
  const shown = isSecret ? '******' : textOf(given);
  switch (type) {
    case 'String':
      return { value: textOf(given) };
    case 'Number': {
      const value = numberOf(given);
      return value === undefined ? { fault: `'${shown}' is not a number` } : { value };
    }
    case 'Boolean': {
      const value = booleanOf(given);
      return value === undefined
        ? { fault: `Unrecognized value '${shown}', acceptable values are: true, false` }
        : { value };
    }
    case 'CommaDelimitedList':
      return listOf(given, shown);
    case 'Json':
      return jsonOf(given);
  }
}

function listOf(given: Json, shown: string): TypedValue {
  if (Array.isArray(given)) return { value: (given as readonly Json[]).map(textOf) };
  if (given === '') return { value: [] };
  return typeof given === 'string'
    ? { value: given.split(',') }
    : { fault: `Value must be a comma-delimited list string: ${shown}` };
}

/** The reason never quotes the value, because parts of an invalid text may be secret too. */
function jsonOf(given: Json): TypedValue {
  if (typeof given !== 'string' || given === '') return { value: given };
  try {
    return { value: parseExact(given) as Json };
  } catch (error) {
    const at = /at position \d+/.exec(String(error))?.[0] ?? 'at its end';
    return { fault: `Value must be valid JSON: it is not ${at}` };
  }
}
