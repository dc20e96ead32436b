/**
 * Custom constraints of a value that is known: those of a format are judged at once, those of services
 * become questions. Public source: Heat template guide, "Parameter Constraints", custom_constraint.
 */
import { ownOf, type Json } from '../json/json.js';
import type { Constraint } from './property-schema.js';
import { FORMAT_CONSTRAINTS, type FormatFault } from './formats/format-constraints.js';
import { SERVICE_CONSTRAINTS, UNSUPPORTED_CONSTRAINTS } from './service-constraints.js';
import { textOf } from '../json/texts.js';

export type CustomConstraint = Extract<Constraint, { kind: 'custom' }>;

/** The value of a parameter or property, and where it stands. */
export interface ConstrainedValue {
  readonly value: Json;
  /** `parameters.flavor` */
  readonly path: string;
  /** Whether messages leave the value out. */
  readonly isSecret?: boolean;
}

/**
 * @param value null has nothing wrong; of a list, each item is judged
 * @param questions takes what a service must be asked
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

/** What is wrong with a constraint that nobody could be asked about. */
function absenceOf(name: string, shown: string): string | undefined {
  if (ownOf(SERVICE_CONSTRAINTS, name)) return undefined;
  const missing = ownOf(UNSUPPORTED_CONSTRAINTS, name);
  return missing === undefined
    ? `"${shown}" does not validate ${name} (constraint not found)`
    : `"${shown}" does not validate ${name} (this cloud has no ${missing})`;
}

/** Heat's words for a value that a custom constraint does not take. */
export function validationError(value: Json, reason: string, isSecret = false): string {
  const shown = `Error validating value '${isSecret ? '******' : textOf(value)}'`;
  return reason === '' ? shown : `${shown}: ${reason}`;
}

function itemsOf(value: Json): readonly Json[] {
  if (value === null) return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

/** `nova.flavor` of a value that is known before anything is made. */
export interface ConstraintQuestion {
  readonly constraint: string;
  readonly value: Json;
  /** `parameters.flavor`, `resources.server.properties.flavor`. */
  readonly path: string;
  /** The constraint's own words for what it does not take. */
  readonly description?: string;
  /** Whether messages leave the value out. */
  readonly isSecret?: true;
}
