/** Public source: octavia, `api/v2/types/member.py`; Load Balancer API v2 reference, "Members". */
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { conflict } from '@cumulet/common/errors/domain-error';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import {
  attribute,
  givenOnly,
  shownOnly,
  type ChangeBody,
  type NewBody,
} from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, integer, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { OctaviaTable } from '../resources/octavia-table.js';
import { defineResource, NAME } from '../resources/resource.js';
import { givenIpAddress, orDefault, port, withDefault } from '../resources/values.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { Pool } from './pool.entity.js';
import { PartColumns } from './tree.columns.js';

const MEMBER = {
  address: attribute(givenIpAddress, {
    about: 'The IP address.',
    required: true,
    given: 'at-creation',
  }),
  protocolPort: attribute(port, {
    about: 'The port on which the member serves.',
    required: true,
    given: 'at-creation',
  }),
  weight: withDefault(integer(0, 256), 1, {
    about: 'The share of connections relative to other members; 0 means no new connections.',
  }),
  backup: withDefault(flag, false, {
    about: 'Whether the member is used only if all others are down.',
  }),
  subnetId: attribute(orNull(uuid), {
    about: 'The ID of the subnet from which the member is reached.',
    given: 'at-creation',
  }),
  monitorAddress: attribute(orNull(givenIpAddress), {
    about: 'The IP address that health checks use, if not the one on which the member serves.',
  }),
  monitorPort: attribute(orNull(port), {
    about: 'The port that health checks use, if not the one on which the member serves.',
  }),
  vnicType: shownOnly(text(), {
    about: 'The type of the VNIC.',
    column: { default: 'normal' },
  }),
  requestSriov: givenOnly(orDefault(flag, false), {
    about: 'Whether to reach the member by an SR-IOV port, which is not supported.',
  }),
};

@Entity('members')
@Index('members_project_idx', ['projectId', 'createdAt', 'id'])
@Index('members_load_balancer_idx', ['loadBalancerId'])
@Index('members_pool_idx', ['poolId', 'id'])
@Index('members_address_key', { synchronize: false })
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'members_load_balancer_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Pool, ['poolId'], ['id'], { name: 'members_pool_fkey', onDelete: 'CASCADE' })
export class Member extends rowOf(MEMBER, PartColumns) {
  @Column('uuid', { name: 'pool_id' })
  poolId: string;
}

export const memberResource = defineResource({
  singular: 'member',
  plural: 'members',
  attributes: { ...NAME, ...MEMBER },
});

export type MemberAttributes = typeof memberResource.attributes;
export type NewMember = NewBody<MemberAttributes>;
export type MemberChange = ChangeBody<MemberAttributes>;

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
export class DuplicateMemberEntryError extends conflict(
  (address: string, port: number) =>
    `Another member on this pool is already using ip ${address} on protocol_port ${port}`,
) {}

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
