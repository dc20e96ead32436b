import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { NamedColumns } from '../resource/resource.columns.js';
import type { ResourceOptions } from '../resource/resource.dto.js';

/** Owns users and projects; their names are unique within it. */
@Entity('domains')
@Unique('domains_name_key', ['name'])
export class Domain extends NamedColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'domains_pkey' })
  id: DomainId;

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('jsonb', { default: {} })
  options: ResourceOptions;
}
