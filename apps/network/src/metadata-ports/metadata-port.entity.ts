import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { Network } from '../networks/network.entity.js';
import { Port } from '../ports/port.entity.js';

/** That a port is a network's own, for metadata. What clients may write of a port does not say so. */
@Entity('metadata_ports')
@Unique('metadata_ports_port_key', ['portId'])
export class MetadataPort {
  @PrimaryColumn('uuid', { name: 'network_id', primaryKeyConstraintName: 'metadata_ports_pkey' })
  @ForeignKey(() => Network, { name: 'metadata_ports_network_fkey', onDelete: 'CASCADE' })
  networkId: string;

  @Column('uuid', { name: 'port_id' })
  @ForeignKey(() => Port, { name: 'metadata_ports_port_fkey', onDelete: 'CASCADE' })
  portId: string;
}
