/** Room on the host for what a server is to become, beside what it is. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import type { Placement } from '../../scheduler/placement.js';
import { setDestination } from '../../server-migrations/begin-migration.js';
import type { Server } from '../server.entity.js';
import type { ServerResizes } from './server-resizes.js';

interface RoomTools {
  readonly placement: Placement;
  readonly resizes: ServerResizes;
}

/**
 * Lets a server become what its resize says, on its own host, with room for both until that is
 * confirmed. Does nothing where that was done.
 * @throws NoValidHostError where the host has no room beside what the server has
 */
export async function claimResize(
  { placement, resizes }: RoomTools,
  ctx: RequestContext,
  server: Server,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const resize = await resizes.find(tx, server.id);
    if (resize === undefined || resize.host !== null) return;
    const { vcpus, memoryMb, diskGb, flavor } = resize;
    const host = await placement.choose(tx, server, {
      ...{ vcpus, memoryMb, diskGb },
      flavorName: flavor.name,
      extraSpecs: flavor.extraSpecs ?? {},
      host: server.host ?? undefined,
      isForced: true,
    });
    await setDestination(tx, server.id, host);
    await resizes.exchange(tx, server.id);
  });
}

/** Lets a server be what it was before its resize, and gives up the room for the rest. */
export async function giveResizeBack(
  { resizes }: Pick<RoomTools, 'resizes'>,
  ctx: RequestContext,
  { id }: Server,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const resize = await resizes.find(tx, id);
    if (resize !== undefined && resize.host !== null) await resizes.exchange(tx, id);
    await resizes.end(tx, id);
  });
}
