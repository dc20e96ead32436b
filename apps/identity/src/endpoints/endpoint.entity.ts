import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { Region, type RegionId } from '../regions/region.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';
import { Service, type ServiceId } from '../services/service.entity.js';

export type EndpointId = Id<'Endpoint'>;

export const INTERFACES = ['public', 'internal', 'admin'] as const;
export type Interface = (typeof INTERFACES)[number];

/** Where a service is, for one kind of caller. */
@Entity('endpoints')
@Check('endpoints_interface_check', `interface IN ('public', 'internal', 'admin')`)
export class Endpoint extends ResourceColumns {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'endpoints_pkey' })
  id: EndpointId;

  @Column('text', { name: 'service_id' })
  @ForeignKey(() => Service, { name: 'endpoints_service_id_fkey', onDelete: 'CASCADE' })
  @Index('endpoints_service_id_idx')
  serviceId: ServiceId;

  @Column('text', { name: 'region_id', nullable: true })
  @ForeignKey(() => Region, { name: 'endpoints_region_id_fkey' })
  @Index('endpoints_region_id_idx')
  regionId: RegionId | null;

  @Column('text')
  interface: Interface;

  /** May hold `%(project_id)s` and the like, which the catalog replaces. */
  @Column('text')
  url: string;

  @Column('boolean', { default: true })
  enabled: boolean;

  /**
   * The URL that its setting had when it was last made from it; null for endpoints that no setting
   * makes. Lets a URL that was changed by hand stay until the setting changes too.
   */
  @Column('text', { name: 'setting_url', nullable: true, select: false })
  settingUrl: string | null;
}
