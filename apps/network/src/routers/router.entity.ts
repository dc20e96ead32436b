import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { Table } from '@cumulet/common/tables/table';
import { Port } from '../ports/port.entity.js';
import { QosPolicy } from '../qos/qos-policy.entity.js';
import type { AppliedState } from '../resource/applied.states.js';
import { resourceTable } from '../resource/resource.table.js';
import { RouterInterfaceNotFoundError, RouterNotFoundError } from './router.errors.js';
import { routerResource, type Gateway } from './router.resource.js';

@Entity('routers')
@Index('routers_qos_policy_idx', ['qosPolicyId'])
@Index('routers_project_idx', ['projectId', 'id'])
@ForeignKey(() => QosPolicy, ['qosPolicyId'], ['id'], { name: 'routers_qos_policy_fkey' })
export class Router extends rowOf(routerResource.attributes, StatefulColumns) {
  declare state: AppliedState;

  /** The QoS policy of its first gateway. */
  @Column('uuid', { name: 'qos_policy_id', nullable: true })
  qosPolicyId: string | null;

  /** The time at which the data plane last applied it. */
  @Column('timestamptz', { name: 'applied_at', nullable: true })
  appliedAt: Date | null;

  /** In order; clients see the first as `external_gateway_info`. */
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

/** The owner of a router port, kept in a table of its own since clients can write any device ID. */
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

  /** Order among the gateways of its router. */
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
