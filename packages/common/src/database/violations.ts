/** Identifies Postgres' errors by code and constraint, so that rules can live in the schema. */

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';

/** Whether Postgres failed with this SQLSTATE; TypeORM's errors carry the driver's code. */
export function hasSqlState(error: unknown, code: string): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === code;
}

function violates(error: unknown, code: string, constraint: string): boolean {
  return hasSqlState(error, code) && (error as { constraint?: unknown }).constraint === constraint;
}

export function violatesUnique(error: unknown, constraint: string): boolean {
  return violates(error, UNIQUE_VIOLATION, constraint);
}

export function violatesForeignKey(error: unknown, constraint: string): boolean {
  return violates(error, FOREIGN_KEY_VIOLATION, constraint);
}

export function violatesCheck(error: unknown, constraint: string): boolean {
  return violates(error, CHECK_VIOLATION, constraint);
}

const VIOLATIONS = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION, CHECK_VIOLATION];

/** The unique, foreign key or check constraint that refused a statement. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!VIOLATIONS.some((code) => hasSqlState(error, code))) return undefined;
  return (error as { readonly constraint?: string }).constraint;
}
