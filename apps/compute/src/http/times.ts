import { CheckedField } from '@cumulet/common/http/fields';
import { moment } from '@cumulet/common/resources/field-type';
import type { ShownType } from '@cumulet/common/resources/value-type';

/** A time to the microsecond; no list pages by it. */
export const instant: ShownType<Date> = { ...moment, column: { type: 'timestamptz' } };

/** Times that views write with `zonelessTime`. */
export const zoneless = { ...moment, shape: String };
export const zonelessInstant = { ...instant, shape: String };

/** `2026-01-31T12:00:00.000000`: in UTC, as Nova writes the times of usage and actions. */
export function zonelessTime(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}

/** As `zonelessTime`, but with the up to six digits of a client, of which a Date keeps three. */
export function givenTime(date: Date, text: string): string {
  const digits = /\.(\d{1,6})$/.exec(text)?.[1] ?? '';
  return `${date.toISOString().slice(0, 20)}${digits.padEnd(6, '0')}`;
}

export function TimeField(): PropertyDecorator {
  const schema = { type: 'string', format: 'date-time' } as const;
  return CheckedField(isTime, 'must be an ISO 8601 time', schema, { optional: true });
}

/** Postgres accepts a bare date as midnight, but not every text that `Date` accepts. */
function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
  );
}
