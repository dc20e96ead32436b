import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DataId } from '@cumulet/storage/stores/byte-store';

/** The position of the scrub, in one row. It visits all data in the order of their ids. */
@Entity('scrub_round')
export class ScrubRound {
  @PrimaryColumn({
    type: 'timestamptz',
    name: 'began_at',
    precision: 3,
    primaryKeyConstraintName: 'scrub_round_pkey',
  })
  beganAt: Date;

  /** The last compared; null at the end of the round. */
  @Column('uuid', { name: 'last_id', nullable: true })
  lastId: DataId | null;
}
