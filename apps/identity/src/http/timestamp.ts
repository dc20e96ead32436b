import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CheckedField } from '@cumulet/common/http/fields';

/** A moment as Keystone writes it, with microseconds: `2026-01-31T12:00:00.000000Z`. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

/** The same from a client's text, with its microseconds; undefined for an invalid one. */
export function exactTimestamp(text: string): string | undefined {
  const seconds = readTimestamp(text)?.toISOString().slice(0, 19);
  if (seconds === undefined) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

/** In UTC without a zone, as Keystone shows the expiry of passwords. */
export function zonelessTimestamp(moment: Date): string {
  return timestamp(moment.getTime()).replace('Z', '');
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:?\d\d)?$/;

export function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && readTimestamp(value) !== undefined;
}

/** UTC unless the text names a zone; undefined for an invalid text. */
export function readTimestamp(text: string): Date | undefined {
  const [, moment, zone] = TIMESTAMP.exec(text) ?? [];
  if (moment === undefined) return undefined;
  const date = new Date(`${moment.replace(' ', 'T')}${zone ?? 'Z'}`);
  return Number.isNaN(date.getTime()) || !isDay(moment.slice(0, 10)) ? undefined : date;
}

/** `Date` takes the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  return new Date(text).toISOString().startsWith(text);
}

/** Null means never. */
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
