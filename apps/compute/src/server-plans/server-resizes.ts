/** All SQL of resizes. */
import { Injectable } from '@nestjs/common';
import { Entity, ForeignKey } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import { internal } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, id, integer, json, orNull, text } from '@cumulet/common/resources/field-type';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { LocalDisk } from '../hypervisor/ports/guest-spec.js';
import { Server, type FlavorSnapshot, type ServerId } from '../servers/server.entity.js';

/**
 * The half of a resize that is not in the server's row: at first the new size, later the former.
 * With a host it counts there, beside the server (triggers keep `host_usage`); in a migration, that
 * is not the server's own host.
 */
@Entity('server_resizes')
@ForeignKey(() => Server, ['serverId'], ['id'], {
  name: 'server_resizes_server_fkey',
  onDelete: 'CASCADE',
})
export class ServerResize extends rowOf({
  serverId: internal(id<ServerId>(), {
    primary: true,
    primaryKeyConstraintName: 'server_resizes_pkey',
  }),
  /** Whether it is the former size rather than the new one. */
  isFormer: internal(flag(), { default: false }),
  /** The host where it takes room; null until it is claimed. */
  host: internal(orNull(text())),
  flavor: internal(json<FlavorSnapshot>()),
  vcpus: internal(integer()),
  memoryMb: internal(integer()),
  diskGb: internal(integer()),
  /** The image under its disk: on another host, an image of the server's disk. */
  image: internal(json<BootImage>()),
  localDisks: internal(json<LocalDisk[]>(), { default: [] }),
  goesTo: internal(orNull(text())),
  /** Whether the server may not stay on its host. */
  mustLeave: internal(flag(), { default: false }),
}) {}

/** The halves of a resize exchange these. */
const SIZE = ['host', 'flavor', 'vcpus', 'memory_mb', 'disk_gb', 'image', 'local_disks'];
const HALF = SIZE.join(', ');

/** A server's new size, and its requested host. */
type NewHalf = Pick<ServerResize, 'flavor' | 'vcpus' | 'memoryMb' | 'diskGb' | 'localDisks'> &
  Partial<Pick<ServerResize, 'goesTo' | 'mustLeave'>>;

@Injectable()
export class ServerResizes {
  find(ctx: RequestContext, serverId: string): Promise<ServerResize | undefined> {
    return selectRow(ctx.manager, ServerResize, 'WHERE server_id = $1', [serverId]);
  }

  /** Replaces what an earlier resize left. */
  async begin(
    ctx: RequestContext,
    { id, host, image }: Pick<Server, 'id' | 'host' | 'image'>,
    half: NewHalf,
  ): Promise<void> {
    await this.end(ctx, { id, host });
    const { flavor, vcpus, memoryMb, diskGb, localDisks, goesTo = null, mustLeave = false } = half;
    const texts = [flavor, image, localDisks].map((value) => JSON.stringify(value));
    await ctx.manager.query(
      `INSERT INTO server_resizes
         (server_id, flavor, image, local_disks, vcpus, memory_mb, disk_gb, goes_to, must_leave)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, ...texts, vcpus, memoryMb, diskGb, goesTo, mustLeave],
    );
  }

  /** Takes its room on the host, beside the server's. */
  async claim(tx: RequestContext, serverId: string, host: string): Promise<void> {
    const sql = 'UPDATE server_resizes SET host = $2 WHERE server_id = $1';
    await tx.manager.query(sql, [serverId, host]);
  }

  /** Sets the image under the server's disk on its new host. */
  async bootFrom(tx: RequestContext, serverId: string, image: BootImage): Promise<void> {
    const sql = 'UPDATE server_resizes SET image = $2 WHERE server_id = $1';
    await tx.manager.query(sql, [serverId, JSON.stringify(image)]);
  }

  /** Exchanges the halves, with their hosts: the server gets its new size, or its former one. */
  async exchange(tx: RequestContext, serverId: string): Promise<void> {
    const rows: Record<string, unknown>[] = await tx.manager.query(
      `SELECT ${HALF} FROM servers WHERE id = $1 FOR UPDATE`,
      [serverId],
    );
    const [server] = rows;
    if (server === undefined) return;
    await tx.manager.query(
      `UPDATE servers SET ${SIZE.map((column) => `${column} = other.${column}`).join(', ')},
              updated_at = now()
         FROM server_resizes AS other WHERE id = $1 AND server_id = id`,
      [serverId],
    );
    const values = SIZE.map((column) => {
      const value = server[column];
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    });
    await tx.manager.query(
      `UPDATE server_resizes
          SET is_former = NOT is_former, ${SIZE.map((column, at) => `${column} = $${at + 2}`).join(', ')}
        WHERE server_id = $1`,
      [serverId, ...values],
    );
  }

  /** Gives up the other half, and its claim. Another host removes its guest by itself. */
  async end(tx: RequestContext, { id, host }: Pick<Server, 'id' | 'host'>): Promise<void> {
    await tx.manager.query(
      `WITH ended AS (DELETE FROM server_resizes WHERE server_id = $1 RETURNING host, is_former)
       INSERT INTO leftover_guests (host, server_id)
       SELECT host, $1 FROM ended WHERE is_former AND host <> $2 ON CONFLICT DO NOTHING`,
      [id, host],
    );
  }
}
