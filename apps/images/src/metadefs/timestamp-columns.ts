import { Column } from 'typeorm';

/** When a row came to be, and when it was last changed. */
export abstract class TimestampColumns {
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt: Date;
}
