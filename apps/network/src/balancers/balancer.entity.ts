import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { Table } from '@cumulet/common/tables/table';
import type { CheckResult } from '../data-plane/balancer-spec.js';
import { Port } from '../ports/port.entity.js';
import type { AppliedState } from '../resource/applied.states.js';
import { Subnet } from '../subnets/subnet.entity.js';
import type { BalancerListenerDto } from './balancer.dto.js';
import { BalancerNotFoundError } from './balancer.errors.js';

/** A load balancer of the data plane's own, as the load balancer service asks for it. */
@Entity('balancers')
export class Balancer extends StatefulColumns {
  declare state: AppliedState;

  /** The load balancer's. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'project_id' })
  projectId: string;

  /** No foreign key: that the port is gone is told when the data plane is. */
  @Column('uuid', { name: 'vip_port_id' })
  vipPortId: string;

  @Column('boolean', { name: 'admin_state_up' })
  adminStateUp: boolean;

  @Column('jsonb')
  listeners: BalancerListenerDto[];

  /** Subnets with members that are checked. */
  @Column('uuid', { name: 'checked_subnet_ids', array: true })
  checkedSubnetIds: string[];

  /** By member, what its checks have said; of what is not checked, or not yet, nothing. */
  @Column('jsonb', { default: {} })
  health: Record<string, CheckResult>;
}

/** That a port keeps the address from which the members on a subnet are checked, by any balancer. */
@Entity('balancer_sources')
@Unique('balancer_sources_port_key', ['portId'])
export class BalancerSource {
  @PrimaryColumn('uuid', { name: 'subnet_id', primaryKeyConstraintName: 'balancer_sources_pkey' })
  @ForeignKey(() => Subnet, { name: 'balancer_sources_subnet_fkey', onDelete: 'CASCADE' })
  subnetId: string;

  @Column('uuid', { name: 'port_id' })
  @ForeignKey(() => Port, { name: 'balancer_sources_port_fkey', onDelete: 'CASCADE' })
  portId: string;
}

export const balancers = new Table(Balancer, {
  missing: (key) => new BalancerNotFoundError(typeof key === 'string' ? key : ''),
});
