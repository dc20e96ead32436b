import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DataId } from '@cumulet/storage/stores/byte-store';

/**
 * Bytes in the store that no object has: they are being written, or are to be removed.
 *
 * Always holds: whatever is in the store has a row, here, of an object or of a part. Here it is
 * before its first byte is written; what an object or a part loses comes here by a trigger.
 */
@Entity('loose_data')
@Index('loose_data_until', ['until'])
export class LooseData {
  @PrimaryColumn('uuid', { name: 'data_id', primaryKeyConstraintName: 'loose_data_pkey' })
  dataId: DataId;

  /** When it may be removed; its writer extends this. */
  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;

  /** Whether it is being removed and can no longer become an object's. */
  @Column('boolean', { name: 'is_going', default: false })
  isGoing: boolean;
}
