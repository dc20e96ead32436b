import { Column, Entity, ForeignKey, Index, VirtualColumn } from 'typeorm';
import { Network } from '../networks/network.entity.js';
import { Port } from '../ports/port.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import { ResourceColumns, resourceTable } from '../resource/resource.columns.js';
import { Router } from '../routers/router.entity.js';
import {
  FloatingIPNotFoundError,
  FloatingIPPortAlreadyAssociatedError,
} from './floatingip.errors.js';

/**
 * ACTIVE once the data plane has had the router since the address leads somewhere.
 * @param floatingIp the table, or what stands for it
 */
export const statusSql = (floatingIp: string): string => `
  COALESCE((SELECT CASE WHEN state = 'error' THEN 'ERROR'
                        WHEN applied_at >= ${floatingIp}.associated_at THEN 'ACTIVE' END
              FROM routers WHERE routers.id = ${floatingIp}.router_id), 'DOWN')`;

@Entity('floating_ips')
@Index('floating_ips_qos_policy_idx', ['qosPolicyId'])
@Index('floating_ips_project_idx', ['projectId', 'id'])
@Index('floating_ips_router_idx', ['routerId'])
@Index('floating_ips_port_idx', ['fixedPortId'])
@Index('floating_ips_floating_port_key', ['floatingPortId'], { unique: true })
@Index('floating_ips_fixed_key', ['floatingNetworkId', 'fixedPortId', 'fixedIpAddress'], {
  unique: true,
})
export class FloatingIp extends ResourceColumns {
  @Column('uuid', { name: 'floating_network_id' })
  @ForeignKey(() => Network, { name: 'floating_ips_network_fkey' })
  floatingNetworkId: string;

  /** Its own, which has the address. */
  @Column('uuid', { name: 'floating_port_id' })
  @ForeignKey(() => Port, { name: 'floating_ips_floating_port_fkey' })
  floatingPortId: string;

  @Column('inet', { name: 'floating_ip_address' })
  floatingIpAddress: string;

  /** The port that it leads to. */
  @Column('uuid', { name: 'fixed_port_id', nullable: true })
  @ForeignKey(() => Port, { name: 'floating_ips_fixed_port_fkey' })
  fixedPortId: string | null;

  @Column('inet', { name: 'fixed_ip_address', nullable: true })
  fixedIpAddress: string | null;

  /** The router through which it, or one of its port forwardings, leads. */
  @Column('uuid', { name: 'router_id', nullable: true })
  @ForeignKey(() => Router, { name: 'floating_ips_router_fkey' })
  routerId: string | null;

  /** Since when it leads there. */
  @Column('timestamptz', { name: 'associated_at', nullable: true })
  associatedAt: Date | null;

  /** What its traffic is limited to. */
  @Column('uuid', { name: 'qos_policy_id', nullable: true })
  @ForeignKey(() => QosPolicy, { name: 'floating_ips_qos_policy_fkey' })
  qosPolicyId: string | null;

  @Column('text', { name: 'dns_name', default: '' })
  dnsName: string;

  @Column('text', { name: 'dns_domain', default: '' })
  dnsDomain: string;

  @VirtualColumn('text', { query: (floatingIp) => `SELECT ${statusSql(floatingIp)}` })
  status: string;

  /** The port that it leads to, as clients see it. */
  @VirtualColumn('jsonb', {
    query: (floatingIp) => `
      SELECT jsonb_build_object(
               'name', name, 'network_id', network_id, 'mac_address', mac_address,
               'admin_state_up', admin_state_up, 'device_id', device_id,
               'device_owner', device_owner, 'status', CASE
                  WHEN state IN ('active', 'updating') THEN 'ACTIVE'
                  WHEN state = 'building' AND host_id <> '' THEN 'BUILD'
                  WHEN state = 'error' THEN 'ERROR' ELSE 'DOWN' END)
        FROM ports WHERE ports.id = ${floatingIp}.fixed_port_id`,
  })
  portDetails: object | null;

  /** Its port forwardings, as clients see them with it. */
  @VirtualColumn('jsonb', {
    query: (floatingIp) => `
      SELECT COALESCE(jsonb_agg(jsonb_build_object(
               'id', one.id, 'protocol', protocol, 'internal_port_id', internal_port_id,
               'internal_ip_address', host(internal_ip_address),
               'external_port', CASE WHEN external_first = external_last THEN external_first END,
               'internal_port', CASE WHEN internal_first = internal_last THEN internal_first END)
               ORDER BY one.created_at, one.id), '[]')
        FROM port_forwardings AS one WHERE floatingip_id = ${floatingIp}.id`,
  })
  portForwardings: object[];
}

export const floatingIps = resourceTable(FloatingIp, FloatingIPNotFoundError, {
  floating_ips_fixed_key: (row) =>
    new FloatingIPPortAlreadyAssociatedError({
      id: row.id ?? '',
      floatingIpAddress: row.floatingIpAddress ?? '',
      floatingNetworkId: row.floatingNetworkId ?? '',
      portId: row.fixedPortId ?? '',
      fixedIpAddress: row.fixedIpAddress ?? '',
    }),
});
