/**
 * What a value has wrong by the constraints of a parameter or a property. Custom ones are asked
 * elsewhere. Public source: Heat template guide, "Parameter Constraints".
 */
import { characterCount } from '@cumulet/common/database/storable';
import type { Json } from '../template/json.js';
import type { Constraint, PropertyType } from '../resource-types/property-schema.js';
import { PythonPattern } from './python-pattern.js';
import { booleanOf, numberOf, textOf } from './texts.js';

export type PlainConstraint = Exclude<Constraint, { kind: 'custom' }>;

/** Types whose values a constraint can be of. */
export const CONSTRAINED: Readonly<Record<Constraint['kind'], readonly PropertyType[]>> = {
  length: ['string', 'list', 'map'],
  range: ['integer', 'number'],
  modulo: ['integer', 'number'],
  values: ['string', 'integer', 'number', 'boolean', 'list'],
  pattern: ['string'],
  custom: ['string', 'integer', 'number', 'boolean', 'list'],
};

export interface CheckOptions {
  /** Whether messages leave the value out. */
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
      return isWithin(constraint, Number(numberOf(value)))
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
      return modulo(Number(numberOf(value)), step) === offset
        ? undefined
        : `${shown} is not a multiple of ${step} with an offset of ${offset}`;
    }
    case 'values': {
      const allowed = constraint.allowed.map((one) => JSON.stringify(one)).join(', ');
      const whole = isSecret ? shown : JSON.stringify(value);
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
  readonly min?: number;
  readonly max?: number;
}

function isWithin({ min = -Infinity, max = Infinity }: Bounds, value: number): boolean {
  return value >= min && value <= max;
}

function bounds({ min, max }: Bounds): string {
  return `min: ${min ?? 'None'}, max: ${max ?? 'None'}`;
}

/** In characters, items or keys. */
function lengthOf(value: Json): number | undefined {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** With the sign of the step, as in Python. */
function modulo(value: number, step: number): number {
  const rest = value % step;
  return rest !== 0 && rest < 0 !== step < 0 ? rest + step : rest + 0;
}

/** Of a list, each item. */
function isAllowed(allowed: readonly Json[], value: Json, type: PropertyType): boolean {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.every((item) => allowed.some((one) => textOf(one) === textOf(item)));
  }
  return allowed.some((one) => comparable(one, type) === comparable(value, type));
}

function comparable(value: Json, type: PropertyType): Json | undefined {
  if (type === 'boolean') return booleanOf(value);
  if (type === 'integer' || type === 'number') return numberOf(value);
  return textOf(value);
}
