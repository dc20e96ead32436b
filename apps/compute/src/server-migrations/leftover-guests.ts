/**
 * Guests left on hosts that were down when their servers moved. Only these are removed: a guest
 * whose server has another host may be this one's, renamed.
 */
import { Entity } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { id, text } from '@cumulet/common/resources/field-type';
import { completeEvacuation } from './begin-migration.js';

/** In the transaction that moves a server away from a host that is down. */
export async function leaveGuestBehind(
  tx: RequestContext,
  host: string,
  serverId: string,
): Promise<void> {
  await tx.manager.query(
    'INSERT INTO leftover_guests (host, server_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [host, serverId],
  );
}

/** @param destroy removes a guest, or does nothing without one */
export async function removeLeftovers(
  ctx: RequestContext,
  host: string,
  destroy: (guestId: string) => Promise<void>,
): Promise<void> {
  const rows: { id: string; isBack: boolean }[] = await ctx.manager.query(
    `SELECT server_id AS id, coalesce(servers.host = $1, false) AS "isBack"
       FROM leftover_guests LEFT JOIN servers ON servers.id = server_id
      WHERE leftover_guests.host = $1`,
    [host],
  );
  for (const { id, isBack } of rows) {
    if (!isBack) await destroy(id);
    await completeEvacuation(ctx, id, host);
    await ctx.manager.query('DELETE FROM leftover_guests WHERE host = $1 AND server_id = $2', [
      host,
      id,
    ]);
  }
}

const KEY = { primary: true, primaryKeyConstraintName: 'leftover_guests_pkey' };

/** A guest that a host removes when it comes back: its server is elsewhere. */
@Entity('leftover_guests')
export class LeftoverGuest extends rowOf({
  host: internal(text(), KEY),
  serverId: internal(id(), KEY),
}) {}
