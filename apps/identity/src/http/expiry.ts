/** Until when something may be used, as a client says it and as it is shown again. */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CheckedField } from '@cumulet/common/http/fields';
import { exactTimestamp, isTimestamp } from './timestamp.js';

/** Null: for ever. */
export function ExpiryField(): PropertyDecorator {
  return CheckedField(
    isTimestamp,
    'must be a timestamp of the form YYYY-MM-DDTHH:MM:SS.ffffff, in UTC unless it names a zone',
    { type: String, format: 'date-time' },
    { optional: true, nullable: true },
  );
}

/**
 * @returns the moment with its microseconds, which a `Date` would lose
 * @throws InvalidInputError when it has passed
 */
export function readExpiry(text: string | null | undefined): string | null {
  const expiry = exactTimestamp(text ?? '') ?? null;
  if (expiry !== null && Date.parse(expiry) <= Date.now()) {
    throw new InvalidInputError(`Invalid input: expires_at '${expiry}' must not be in the past.`);
  }
  return expiry;
}

/** SQL: a column's moment in the same form. */
export function exactText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}
