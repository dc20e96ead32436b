import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { FloatingIp } from '../floatingips/floatingip.entity.js';
import { Port } from '../ports/port.entity.js';
import { ResourceColumns } from '../resource/resource.columns.js';

@Entity('port_forwardings')
@Index('port_forwardings_floating_ip_idx', ['floatingIpId'])
@Index('port_forwardings_port_idx', ['internalPortId'])
export class PortForwarding extends ResourceColumns {
  @Column('uuid', { name: 'floatingip_id' })
  @ForeignKey(() => FloatingIp, { name: 'port_forwardings_floating_ip_fkey' })
  floatingIpId: string;

  @Column('text')
  protocol: string;

  /** Of the floating IP: from this port to `externalLast`. */
  @Column('integer', { name: 'external_first' })
  externalFirst: number;

  @Column('integer', { name: 'external_last' })
  externalLast: number;

  @Column('uuid', { name: 'internal_port_id' })
  @ForeignKey(() => Port, { name: 'port_forwardings_port_fkey' })
  internalPortId: string;

  @Column('inet', { name: 'internal_ip_address' })
  internalIpAddress: string;

  /** Of that address: as many as the external ones, or one for all of them. */
  @Column('integer', { name: 'internal_first' })
  internalFirst: number;

  @Column('integer', { name: 'internal_last' })
  internalLast: number;
}
