import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { DomainId } from '@cumulet/common/context/ids';
import { ResourceColumns } from '../resource/resource.columns.js';
import type { ResourceOptions } from '../resource/resource.dto.js';

/** Owns users and projects; their names are unique within it. */
@Entity('domains')
@Unique('domains_name_key', ['name'])
export class Domain extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'domains_pkey' })
  id: DomainId;

  @Column('text')
  name: string;

  @Column('text', { default: '' })
  description: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  @Column('text', { array: true, default: [] })
  tags: string[];

  @Column('jsonb', { default: {} })
  options: ResourceOptions;
}
