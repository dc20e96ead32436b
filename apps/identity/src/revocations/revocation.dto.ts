import { CheckedField } from '@cumulet/common/http/fields';
import { isTimestamp } from '../http/timestamp.js';

export class ListEventsQuery {
  /** Events of before are left out. */
  @CheckedField(
    isTimestamp,
    'must be a time, as 2026-01-31T12:00:00Z',
    { type: 'string', format: 'date-time' },
    { optional: true },
  )
  since?: string;
}
