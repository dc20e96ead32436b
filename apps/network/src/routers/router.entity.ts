import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { Table } from '@cumulet/common/tables/table';
import { Port, type FixedIp } from '../ports/port.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import type { AppliedState } from '../resource/applied.states.js';
import { zonesAsked } from '../availability-zones/zones.js';
import { StatefulResourceColumns, resourceTable } from '../resource/resource.columns.js';
import type { HostRoute } from '../subnets/subnet.entity.js';
import { RouterInterfaceNotFoundError, RouterNotFoundError } from './router.errors.js';

/** A port that leads out. */
export interface Gateway {
  readonly portId: string;
  readonly networkId: string;
  readonly fixedIps: readonly FixedIp[];
}

@Entity('routers')
@Index('routers_qos_policy_idx', ['qosPolicyId'])
@Index('routers_project_idx', ['projectId', 'id'])
export class Router extends StatefulResourceColumns {
  declare state: AppliedState;

  @Column('boolean', { name: 'admin_state_up', default: true })
  adminStateUp: boolean;

  /** Whether what leaves by the gateway comes from its address. */
  @Column('boolean', { name: 'enable_snat', default: true })
  enableSnat: boolean;

  /** What goes in and out by its first gateway is limited to. */
  @Column('uuid', { name: 'qos_policy_id', nullable: true })
  @ForeignKey(() => QosPolicy, { name: 'routers_qos_policy_fkey' })
  qosPolicyId: string | null;

  @Column('jsonb', { default: [] })
  routes: HostRoute[];

  /** When the data plane last had it as it was then. */
  @Column('timestamptz', { name: 'applied_at', nullable: true })
  appliedAt: Date | null;

  /** The availability zones that its gateways are to be in; none for any. */
  @Column('text', { name: 'availability_zone_hints', array: true, default: () => `'{}'` })
  availabilityZoneHints: string[];

  /** Those of them that there are, or all. */
  @VirtualColumn('text', { query: zonesAsked })
  availabilityZones: string[];

  /** The one that clients know as `external_gateway_info` is the first. */
  @VirtualColumn('jsonb', {
    query: (router) => `
      SELECT COALESCE(jsonb_agg(jsonb_build_object(
               'portId', port.id, 'networkId', port.network_id,
               'fixedIps', (SELECT COALESCE(jsonb_agg(jsonb_build_object(
                              'subnet_id', subnet_id, 'ip_address', host(address))
                              ORDER BY host(address) COLLATE "C", subnet_id), '[]')
                              FROM ip_allocations WHERE port_id = port.id))
               ORDER BY router_ports.position, port.id), '[]')
        FROM router_ports JOIN ports AS port ON port.id = port_id
       WHERE router_id = ${router}.id AND kind = 'gateway'`,
  })
  gateways: Gateway[];
}

export type RouterPortKind = 'interface' | 'gateway';

/** That a port is a router's. What clients may write of a port, its device, does not say so. */
@Entity('router_ports')
@Index('router_ports_router_idx', ['routerId'])
@Check('router_ports_kind_check', `kind IN ('interface', 'gateway')`)
export class RouterPort {
  @PrimaryColumn('uuid', { name: 'port_id', primaryKeyConstraintName: 'router_ports_pkey' })
  @ForeignKey(() => Port, { name: 'router_ports_port_fkey', onDelete: 'CASCADE' })
  portId: string;

  @Column('uuid', { name: 'router_id' })
  @ForeignKey(() => Router, { name: 'router_ports_router_fkey' })
  routerId: string;

  @Column('text')
  kind: RouterPortKind;

  /** Among the gateways of its router. */
  @Column('integer', { default: 0 })
  position: number;
}

export const routers = resourceTable(Router, RouterNotFoundError);

export const routerPorts = new Table(RouterPort, {
  missing: (key) =>
    new RouterInterfaceNotFoundError(
      typeof key === 'string' ? '' : (key.routerId ?? ''),
      typeof key === 'string' ? key : (key.portId ?? ''),
    ),
});
