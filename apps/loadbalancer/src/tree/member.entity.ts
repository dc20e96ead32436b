import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { OctaviaTable } from '../resources/octavia-table.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { PartColumns } from './tree.columns.js';

@Entity('members')
@Index('members_project_idx', ['projectId', 'createdAt', 'id'])
@Index('members_load_balancer_idx', ['loadBalancerId'])
@Index('members_pool_idx', ['poolId', 'id'])
@Index('members_address_key', { synchronize: false })
export class Member extends PartColumns {
  @ForeignKey(() => LoadBalancer, { name: 'members_load_balancer_fkey', onDelete: 'CASCADE' })
  declare loadBalancerId: string;

  @ForeignKey(() => Pool, { name: 'members_pool_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'pool_id' })
  poolId: string;

  @Column('text')
  address: string;

  @Column('integer', { name: 'protocol_port' })
  protocolPort: number;

  /** 0 to 256; 0 takes no new connections. */
  @Column('integer', { default: 1 })
  weight: number;

  /** Used only where all others are down. */
  @Column('boolean', { default: false })
  backup: boolean;

  @Column('uuid', { name: 'subnet_id', nullable: true })
  subnetId: string | null;

  @Column('text', { name: 'monitor_address', nullable: true })
  monitorAddress: string | null;

  @Column('integer', { name: 'monitor_port', nullable: true })
  monitorPort: number | null;

  @Column('text', { name: 'vnic_type', default: 'normal' })
  vnicType: string;
}

/** As far as a list of all members of a pool can change one. */
export type PresentMember = Pick<
  Member,
  | 'id'
  | 'address'
  | 'protocolPort'
  | 'name'
  | 'weight'
  | 'backup'
  | 'adminStateUp'
  | 'subnetId'
  | 'monitorAddress'
  | 'monitorPort'
  | 'tags'
>;

/** Public source: octavia, `common/exceptions.py`. */
export class DuplicateMemberEntryError extends DomainError {
  constructor(address: string, port: number) {
    super(
      'conflict',
      `Another member on this pool is already using ip ${address} on protocol_port ${port}`,
    );
  }
}

export const members = new OctaviaTable(Member, 'Member', {
  members_address_key: ({ address = '', protocolPort = 0 }) =>
    new DuplicateMemberEntryError(address, protocolPort),
});

export function presentMembers(
  { manager }: RequestContext,
  poolId: string,
): Promise<PresentMember[]> {
  return preparedRows(
    manager,
    `SELECT id, address, protocol_port AS "protocolPort", name, weight, backup,
            admin_state_up AS "adminStateUp", subnet_id AS "subnetId",
            monitor_address AS "monitorAddress", monitor_port AS "monitorPort", tags
       FROM members WHERE pool_id = $1 AND provisioning_status <> 'PENDING_DELETE'`,
    [poolId],
  );
}

/** Many at once, as they are to be. */
export async function writeChanged(
  { manager }: RequestContext,
  changed: readonly PresentMember[],
): Promise<void> {
  if (changed.length === 0) return;
  await preparedRows(
    manager,
    `UPDATE members SET name = new.name, weight = new.weight, backup = new.backup,
            admin_state_up = new."adminStateUp", subnet_id = new."subnetId",
            monitor_address = new."monitorAddress", monitor_port = new."monitorPort",
            tags = ARRAY(SELECT jsonb_array_elements_text(new.tags)),
            provisioning_status = 'PENDING_UPDATE', updated_at = clock_timestamp()
       FROM jsonb_to_recordset($1::jsonb) AS new(
            id uuid, name text, weight integer, backup boolean, "adminStateUp" boolean,
            "subnetId" uuid, "monitorAddress" text, "monitorPort" integer, tags jsonb)
      WHERE members.id = new.id`,
    [JSON.stringify(changed)],
  );
}
