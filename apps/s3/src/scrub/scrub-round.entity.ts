import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DataId } from '@cumulet/storage/stores/byte-store';

/** How far the scrub has come: one row. It goes through all data in the order of their ids. */
@Entity('scrub_round')
export class ScrubRound {
  @PrimaryColumn({
    type: 'timestamptz',
    name: 'began_at',
    precision: 3,
    primaryKeyConstraintName: 'scrub_round_pkey',
  })
  beganAt: Date;

  /** The last that was compared; null once the round is at its end. */
  @Column('uuid', { name: 'last_id', nullable: true })
  lastId: DataId | null;
}
