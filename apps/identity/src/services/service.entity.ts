import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { ResourceColumns } from '../resource/resource.columns.js';

export type ServiceId = Id<'Service'>;

/** A service as the catalog names it. */
@Entity('services')
export class Service extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'services_pkey' })
  id: ServiceId;

  /** `compute`, as clients look for it. */
  @Column('text')
  @Index('services_type_idx')
  type: string;

  @Column('text', { default: '' })
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('boolean', { default: true })
  enabled: boolean;
}
