import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { Port } from '../ports/port.entity.js';
import { trunkResource, type ShownSubport } from './trunk.resource.js';

/** A port that carries the packets of subports, each with a VLAN of its own. */
@Entity('trunks')
@Index('trunks_project_idx', ['projectId', 'id'])
@Index('trunks_port_key', ['portId'], { unique: true })
@ForeignKey(() => Port, ['portId'], ['id'], { name: 'trunks_port_fkey' })
export class Trunk extends rowOf(trunkResource.attributes) {
  declare subPorts: ShownSubport[];
}

/** A subport. A port is in at most one trunk, and is not the parent port of another. */
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

  @Column('integer', { name: 'segmentation_id' })
  segmentationId: number;
}
