import { Column } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import { rowOf } from '@cumulet/common/resources/classes';
import { StatefulColumns } from '@cumulet/common/states/stateful.columns';
import { DESCRIPTION, NAME, OF_PARTS, STANDARD } from '../resources/resource.js';

const COMMON = { ...STANDARD, ...NAME, ...DESCRIPTION };

export abstract class LoadBalancerColumns extends rowOf(COMMON, StatefulColumns) {
  declare projectId: ProjectId;
}

export abstract class PartColumns extends rowOf({ ...COMMON, ...OF_PARTS }) {
  declare projectId: ProjectId;

  @Column('uuid', { name: 'load_balancer_id' })
  loadBalancerId: string;
}

/** SQL for the ids of a row's parts, the oldest first, as an array. */
export function idsOf(table: string, where: string): string {
  return `ARRAY(SELECT part.id::text FROM ${table} AS part WHERE part.${where} ORDER BY part.created_at, part.id)`;
}

/** The tables of a load balancer's parts. */
export const PART_TABLES = [
  'listeners',
  'pools',
  'members',
  'health_monitors',
  'l7_policies',
  'l7_rules',
] as const;

export type PartTable = (typeof PART_TABLES)[number];
