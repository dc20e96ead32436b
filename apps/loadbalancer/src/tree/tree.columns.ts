import { Column, PrimaryColumn } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import type { OperatingStatus, ProvisioningStatus } from '../resources/values.js';

/** The columns of a load balancer and of each of its parts, on top of those of `base`. */
function treeColumns(base: abstract new () => object) {
  abstract class TreeColumns extends base {
    @PrimaryColumn('uuid')
    id: string;

    @Column('text', { name: 'project_id' })
    projectId: ProjectId;

    @Column('text', { default: '' })
    name: string;

    @Column('text', { default: '' })
    description: string;

    @Column('boolean', { name: 'admin_state_up', default: true })
    adminStateUp: boolean;

    /** What is seen of it from outside, as far as anybody looks. */
    @Column('text', { name: 'operating_status', default: 'OFFLINE' })
    operatingStatus: OperatingStatus;

    @Column('text', { array: true, default: () => `'{}'` })
    tags: string[];

    // Lists page by these times: they are as precise as a Date, or a marker would miss its row.
    @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
    createdAt: Date;

    /** Null until it has been applied for the first time: a status is a change, as in Octavia. */
    @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, nullable: true })
    updatedAt: Date | null;
  }
  return TreeColumns;
}

type Root = abstract new () => PlainColumns & StatefulColumns;

abstract class PlainColumns extends treeColumns(Object) {}

export abstract class LoadBalancerColumns extends (treeColumns(
  StatefulColumns,
) as unknown as Root) {}

/** Of what a load balancer consists of. */
export abstract class PartColumns extends PlainColumns {
  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;

  /** PENDING_… until the tree has been applied. */
  @Column('text', { name: 'provisioning_status', default: 'PENDING_CREATE' })
  provisioningStatus: ProvisioningStatus;
}

/** SQL for the ids of a row's parts, the oldest first, as an array. */
export function idsOf(table: string, where: string): string {
  return `ARRAY(SELECT part.id::text FROM ${table} AS part WHERE part.${where} ORDER BY part.created_at, part.id)`;
}

/** The tables of what a load balancer consists of. */
export const PART_TABLES = [
  'listeners',
  'pools',
  'members',
  'health_monitors',
  'l7_policies',
  'l7_rules',
] as const;

export type PartTable = (typeof PART_TABLES)[number];
