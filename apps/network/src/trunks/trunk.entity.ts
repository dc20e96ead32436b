import { Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { Port } from '../ports/port.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';

/** A subport as clients see it. */
export interface ShownSubport {
  readonly port_id: string;
  readonly segmentation_type: string;
  readonly segmentation_id: number;
}

/**
 * ACTIVE once the port and all subports carry packets, DEGRADED if one of these never will.
 * @param trunk the table, or what stands for it
 */
export const statusSql = (trunk: string): string => `(
  SELECT CASE
      WHEN parent.state = 'error' THEN 'ERROR'
      WHEN parent.state = 'building' AND parent.host_id <> '' THEN 'BUILD'
      WHEN parent.state NOT IN ('active', 'updating') THEN 'DOWN'
      WHEN 'error' = ANY(below.states) THEN 'DEGRADED'
      WHEN below.states && '{building,down}' THEN 'BUILD'
      ELSE 'ACTIVE' END
    FROM ports AS parent, LATERAL (
         SELECT COALESCE(array_agg(ports.state), '{}') AS states
           FROM subports JOIN ports ON ports.id = subports.port_id
          WHERE subports.trunk_id = ${trunk}.id AND ports.admin_state_up) AS below
   WHERE parent.id = ${trunk}.port_id)`;

/** A port that carries the packets of others, each with a number of its own. */
@Entity('trunks')
@Index('trunks_project_idx', ['projectId', 'id'])
@Index('trunks_port_key', ['portId'], { unique: true })
export class Trunk extends ResourceColumns {
  /** Whether it may be changed. */
  @Column('boolean', { name: 'admin_state_up', default: true })
  adminStateUp: boolean;

  @Column('uuid', { name: 'port_id' })
  @ForeignKey(() => Port, { name: 'trunks_port_fkey' })
  portId: string;

  @VirtualColumn('text', { query: (trunk) => `SELECT ${statusSql(trunk)}` })
  status: string;

  @VirtualColumn('jsonb', {
    query: (trunk) => `
      SELECT COALESCE(jsonb_agg(jsonb_build_object(
               'port_id', port_id, 'segmentation_type', segmentation_type,
               'segmentation_id', segmentation_id) ORDER BY segmentation_id), '[]')
        FROM subports WHERE trunk_id = ${trunk}.id`,
  })
  subPorts: ShownSubport[];
}

/** That a port's packets are carried by a trunk. A port is in one, and the port of none. */
@Entity('subports')
@Index('subports_segmentation_key', ['trunkId', 'segmentationType', 'segmentationId'], {
  unique: true,
})
export class Subport {
  @PrimaryColumn('uuid', { name: 'port_id', primaryKeyConstraintName: 'subports_pkey' })
  @ForeignKey(() => Port, { name: 'subports_port_fkey' })
  portId: string;

  @Column('uuid', { name: 'trunk_id' })
  @ForeignKey(() => Trunk, { name: 'subports_trunk_fkey', onDelete: 'CASCADE' })
  trunkId: string;

  @Column('text', { name: 'segmentation_type' })
  segmentationType: string;

  /** Of a VLAN. */
  @Column('integer', { name: 'segmentation_id' })
  segmentationId: number;
}
