import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Vif } from './data-plane.js';

/** What carries the cloud's packets, for processes that only answer requests: one row. */
@Entity('data_plane_kind')
@Check('data_plane_kind_one_check', 'id = 1')
export class DataPlaneKind {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  /** How bound ports are plugged in. */
  @Column('jsonb')
  vif: Vif;
}
