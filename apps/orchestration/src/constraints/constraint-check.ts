/** Checks values of parameters and properties. Public source: Heat, "Parameter Constraints". */
import { characterCount } from '@cumulet/common/database/storable';
import { stringifyExact } from '../json/exact-json.js';
import { isList, isMap, ownOf, type Json } from '../json/json.js';
import { ordinary, sameNumber, textOfNumber, type Numeric } from '../json/numbers.js';
import { booleanOf, numberOf, textOf } from '../json/texts.js';
import { FORMAT_CONSTRAINTS, type FormatFault } from './format-constraints.js';
import type { Constraint, PropertyType } from './property-schema.js';
import { PythonPattern } from './python-pattern.js';
import { SERVICE_CONSTRAINTS, UNSUPPORTED_CONSTRAINTS } from './service-constraints.js';

export type PlainConstraint = Exclude<Constraint, { kind: 'custom' }>;

/** The types that each kind of constraint applies to. */
export const CONSTRAINED: Readonly<Record<Constraint['kind'], readonly PropertyType[]>> = {
  length: ['string', 'list', 'map'],
  range: ['integer', 'number'],
  modulo: ['integer', 'number'],
  values: ['string', 'integer', 'number', 'boolean', 'list'],
  pattern: ['string'],
  custom: ['string', 'integer', 'number', 'boolean', 'list'],
};

export interface CheckOptions {
  readonly isSecret?: boolean;
}

/**
 * @param value already of the type
 * @returns what is wrong; the constraint's own description where it has one
 * @throws PatternFault
 */
export function faultOf(
  constraint: PlainConstraint,
  value: Json,
  type: PropertyType,
  options: CheckOptions = {},
): string | undefined {
  const fault = plainFaultOf(constraint, value, type, options);
  return fault === undefined ? undefined : (constraint.description ?? fault);
}

function plainFaultOf(
  constraint: PlainConstraint,
  value: Json,
  type: PropertyType,
  { isSecret = false }: CheckOptions,
): string | undefined {
  const shown = isSecret ? '******' : textOf(value);
  switch (constraint.kind) {
    case 'range':
      return isWithin(constraint, numberOf(value) ?? NaN)
        ? undefined
        : `${shown} is out of range (${bounds(constraint)})`;
    case 'length': {
      const length = lengthOf(value);
      return length === undefined || isWithin(constraint, length)
        ? undefined
        : `length (${length}) is out of range (${bounds(constraint)})`;
    }
    case 'modulo': {
      const { step, offset } = constraint;
      return modulo(numberOf(value) ?? NaN, step) === offset
        ? undefined
        : `${shown} is not a multiple of ${step} with an offset of ${offset}`;
    }
    case 'values': {
      const allowed = constraint.allowed.map((one) => stringifyExact(one)).join(', ');
      const whole = isSecret ? shown : stringifyExact(value);
      return isAllowed(constraint.allowed, value, type)
        ? undefined
        : `${whole} is not an allowed value [${allowed}]`;
    }
    case 'pattern':
      return new PythonPattern(constraint.pattern).matches(textOf(value))
        ? undefined
        : `"${shown}" does not match pattern "${constraint.pattern}"`;
  }
}

interface Bounds {
  readonly min?: Numeric;
  readonly max?: Numeric;
}

function isWithin({ min = -Infinity, max = Infinity }: Bounds, value: Numeric): boolean {
  const number = ordinary(value);
  return number >= ordinary(min) && number <= ordinary(max);
}

function bounds({ min, max }: Bounds): string {
  return `min: ${shownBound(min)}, max: ${shownBound(max)}`;
}

function shownBound(bound: Numeric | undefined): string {
  return bound === undefined ? 'None' : textOfNumber(bound);
}

/** In characters, items or keys. */
function lengthOf(value: Json): number | undefined {
  if (typeof value === 'string') return characterCount(value);
  if (isList(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : undefined;
}

/** The remainder takes the sign of the step, as in Python. */
function modulo(value: Numeric, step: number): number {
  const rest = typeof value === 'bigint' ? Number(value % BigInt(step)) : Number(value) % step;
  return rest !== 0 && rest < 0 !== step < 0 ? rest + step : rest + 0;
}

function isAllowed(allowed: readonly Json[], value: Json, type: PropertyType): boolean {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.every((item) => allowed.some((one) => textOf(one) === textOf(item)));
  }
  return allowed.some((one) => comparable(one, type) === comparable(value, type));
}

function comparable(value: Json, type: PropertyType): Json | undefined {
  if (type === 'boolean') return booleanOf(value);
  if (type === 'integer' || type === 'number') {
    const number = numberOf(value);
    return number === undefined ? undefined : sameNumber(number);
  }
  return textOf(value);
}

export type CustomConstraint = Extract<Constraint, { kind: 'custom' }>;

export interface ConstrainedValue {
  readonly value: Json;
  readonly path: string;
  readonly isSecret?: boolean;
}

/**
 * Checks a known value against a custom constraint: formats at once, services by a question.
 *
 * @param value null passes; of a list, each item is checked
 * @param questions receives the questions for services
 * @returns what is wrong
 */
export function customFault(
  constraint: CustomConstraint,
  { value, path, isSecret = false }: ConstrainedValue,
  questions: ConstraintQuestion[],
): string | undefined {
  const { name, description } = constraint;
  const format = ownOf(FORMAT_CONSTRAINTS, name);
  if (format) {
    const fault = formatFault(format, value, isSecret);
    return fault === undefined ? undefined : (description ?? fault);
  }
  const fault = absenceOf(name, isSecret ? '******' : textOf(value));
  if (fault !== undefined) return fault;
  const asked = itemsOf(value).map((one) => ({
    constraint: name,
    value: one,
    path,
    ...(description === undefined ? {} : { description }),
    ...(isSecret ? { isSecret: true as const } : {}),
  }));
  questions.push(...asked);
  return undefined;
}

function formatFault(format: FormatFault, value: Json, isSecret: boolean): string | undefined {
  for (const item of itemsOf(value)) {
    const fault = format(textOf(item));
    if (fault !== undefined) return validationError(item, isSecret ? '' : fault, isSecret);
  }
  return undefined;
}

/** Why a constraint cannot be checked in this cloud. */
function absenceOf(name: string, shown: string): string | undefined {
  if (ownOf(SERVICE_CONSTRAINTS, name)) return undefined;
  const missing = ownOf(UNSUPPORTED_CONSTRAINTS, name);
  return missing === undefined
    ? `"${shown}" does not validate ${name} (constraint not found)`
    : `"${shown}" does not validate ${name} (this cloud has no ${missing})`;
}

/** Heat's message for a value that a custom constraint rejects. */
export function validationError(value: Json, reason: string, isSecret = false): string {
  const shown = `Error validating value '${isSecret ? '******' : textOf(value)}'`;
  return reason === '' ? shown : `${shown}: ${reason}`;
}

function itemsOf(value: Json): readonly Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

/** A question to a service, such as `nova.flavor` of a known value. */
export interface ConstraintQuestion {
  readonly constraint: string;
  readonly value: Json;
  /** Such as `parameters.flavor` or `resources.server.properties.flavor`. */
  readonly path: string;
  /** Replaces the default message. */
  readonly description?: string;
  readonly isSecret?: true;
}
