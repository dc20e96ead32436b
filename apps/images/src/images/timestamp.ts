import { shownOnly } from '@cumulet/common/resources/attribute';
import { moment } from '@cumulet/common/resources/field-type';

/** `2026-01-31T12:00:00Z`: the Image API has no fractions of seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const time = (about: string) =>
  shownOnly(moment, { about, schema: { readOnly: true }, column: { default: () => 'now()' } });

export const TIMES = {
  createdAt: time('When it was created.'),
  updatedAt: time('When it was last changed.'),
} as const;
