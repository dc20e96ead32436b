/**
 * `password_expires_at=lt:2026-01-31T12:00:00Z`. Public source: Keystone API reference, "List users".
 */
import { CheckedField } from '@cumulet/common/http/fields';
import { isTimestamp, readTimestamp } from '../http/timestamp.js';

/** SQL of each operator. A user whose password never expires matches none of them. */
const OPERATORS = { lt: '<', lte: '<=', gt: '>', gte: '>=', eq: '=', neq: '<>' } as const;

export interface PasswordExpiryFilter {
  readonly operator: (typeof OPERATORS)[keyof typeof OPERATORS];
  readonly moment: Date;
}

/** Given more than once, a user must match each. */
export function PasswordExpiryField(): PropertyDecorator {
  return CheckedField(
    (value) => textsOf(value).every((text) => readFilter(text) !== undefined),
    `must be a time, as 2026-01-31T12:00:00Z, after one of ${Object.keys(OPERATORS).join(', ')} and a colon`,
    { type: String, example: 'lt:2026-01-31T12:00:00Z' },
    { optional: true },
  );
}

/** From values that `PasswordExpiryField` has let through. */
export function readExpiryFilters(value: string | string[] | undefined): PasswordExpiryFilter[] {
  if (value === undefined) return [];
  return textsOf(value).flatMap((text) => readFilter(text) ?? []);
}

/** One text that no filter has, for a value of another type. */
function textsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === 'string' ? one : ''));
}

function readFilter(text: string): PasswordExpiryFilter | undefined {
  const [, name = 'eq', time = ''] = /^(?:([a-z]+):)?(.*)$/s.exec(text) ?? [];
  const operator = Object.entries(OPERATORS).find(([known]) => known === name)?.[1];
  const moment = isTimestamp(time) ? readTimestamp(time) : undefined;
  return operator && moment ? { operator, moment } : undefined;
}
