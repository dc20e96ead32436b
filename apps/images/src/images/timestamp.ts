/** When things were created and last changed, in rows and on the wire. */
import { Shown } from '@cumulet/common/http/shown';
import { Column } from 'typeorm';

/** `2026-01-31T12:00:00Z`: the Image API knows no fractions of a second. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export abstract class TimestampColumns {
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}

export class TimestampsView {
  @Shown('date-time', 'When it came to be.', { schema: { readOnly: true } })
  created_at: string;

  @Shown('date-time', 'When it last changed.', { schema: { readOnly: true } })
  updated_at: string;
}
