import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { ResourceColumns } from '../resource/resource.columns.js';

export type RegionId = Id<'Region'>;

/** A part of the deployment that has endpoints of its own. Its id is its name. */
@Entity('regions')
export class Region extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'regions_pkey' })
  id: RegionId;

  @Column('text', { name: 'parent_region_id', nullable: true })
  @ForeignKey(() => Region, { name: 'regions_parent_region_id_fkey' })
  @Index('regions_parent_region_id_idx')
  parentRegionId: RegionId | null;

  @Column('text', { default: '' })
  description: string;
}
