import { CheckedField } from '@cumulet/common/http/fields';

/** A time in a query, which may be left out. */
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
