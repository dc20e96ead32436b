import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { Table } from '@cumulet/common/tables/table';
import type { CheckResult } from '../data-plane/balancer-spec.js';
import { Port } from '../ports/port.entity.js';
import type { AppliedState } from '../resource/applied.states.js';
import { Subnet } from '../subnets/subnet.entity.js';
import type { BalancerListenerDto } from './balancer.dto.js';
import { BalancerNotFoundError } from './balancer.errors.js';

/** A load balancer of OVN, as the load balancer service requests it. */
@Entity('balancers')
export class Balancer extends StatefulColumns {
  declare state: AppliedState;

  /** The ID of Octavia's load balancer. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('text', { name: 'project_id' })
  projectId: string;

  /** Not a foreign key: a missing port is reported when the balancer is applied. */
  @Column('uuid', { name: 'vip_port_id' })
  vipPortId: string;

  @Column('boolean', { name: 'admin_state_up' })
  adminStateUp: boolean;

  @Column('jsonb')
  listeners: BalancerListenerDto[];

  /** Subnets with members whose health is checked. */
  @Column('uuid', { name: 'checked_subnet_ids', array: true })
  checkedSubnetIds: string[];

  /** Results of checks by member ID; members that are not checked, or not yet, are absent. */
  @Column('jsonb', { default: {} })
  health: Record<string, CheckResult>;
}

/** The port that holds the source address of health checks on a subnet, for all balancers. */
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
