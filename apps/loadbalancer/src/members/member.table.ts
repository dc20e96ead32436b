import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../tree/tree.errors.js';
import type { PresentMember } from './member-batch.js';
import { Member } from './member.entity.js';
import { DuplicateMemberEntryError } from './member.errors.js';

export const members = new Table(Member, {
  missing: (key) => new NotFoundError('Member', typeof key === 'string' ? key : ''),
  refusals: {
    members_address_key: ({ address = '', protocolPort = 0 }) =>
      new DuplicateMemberEntryError(address, protocolPort),
  },
});

/** The members of a pool, as far as a list of all of them can change them. */
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
