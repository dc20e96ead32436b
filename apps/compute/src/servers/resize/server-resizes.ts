/** All SQL of the table of resizes. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow } from '@cumulet/common/database/rows';
import type { Flavor } from '../../flavors/flavor.entity.js';
import type { ServerId } from '../server.entity.js';
import { ServerResize } from './server-resize.entity.js';

const SIZE = ['flavor', 'vcpus', 'memory_mb', 'disk_gb'];
const EXCHANGED = SIZE.map((column) => `${column} = other.${column}`).join(', ');

type Half = Omit<ServerResize, 'serverId'>;

@Injectable()
export class ServerResizes {
  find(ctx: RequestContext, serverId: string): Promise<ServerResize | undefined> {
    return selectRow(ctx.manager, ServerResize, 'WHERE server_id = $1', [serverId]);
  }

  /** Says what a server is to become. What an earlier resize left is replaced. */
  async begin(ctx: RequestContext, serverId: ServerId, flavor: Flavor): Promise<void> {
    const { id, name, extraSpecs, vcpus, memoryMb, diskGb } = flavor;
    await this.end(ctx, serverId);
    await ctx.manager.query(
      `INSERT INTO server_resizes (server_id, flavor, vcpus, memory_mb, disk_gb)
       VALUES ($1, $2, $3, $4, $5)`,
      [serverId, JSON.stringify({ id, name, extraSpecs }), vcpus, memoryMb, diskGb],
    );
  }

  /**
   * The two halves change places: the server becomes what it is to be, or what it was. The half that
   * is then not the server's takes its room on the same host.
   */
  async exchange(tx: RequestContext, serverId: string): Promise<void> {
    const [server]: Half[] = await tx.manager.query(
      `SELECT host, flavor, vcpus, memory_mb AS "memoryMb", disk_gb AS "diskGb"
         FROM servers WHERE id = $1 FOR UPDATE`,
      [serverId],
    );
    if (server === undefined) return;
    await tx.manager.query(
      `UPDATE servers SET ${EXCHANGED}, updated_at = now()
         FROM server_resizes AS other WHERE id = $1 AND server_id = id`,
      [serverId],
    );
    await tx.manager.query(
      `UPDATE server_resizes SET host = $2, flavor = $3, vcpus = $4, memory_mb = $5, disk_gb = $6
        WHERE server_id = $1`,
      [
        serverId,
        server.host,
        JSON.stringify(server.flavor),
        server.vcpus,
        server.memoryMb,
        server.diskGb,
      ],
    );
  }

  /** Gives up the other half, and its claim. */
  async end(ctx: RequestContext, serverId: string): Promise<void> {
    await ctx.manager.query('DELETE FROM server_resizes WHERE server_id = $1', [serverId]);
  }
}
