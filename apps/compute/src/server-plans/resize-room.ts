/** Claims room on a host for a server's new size, beside its present one. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { SupersededError, transition } from '@cumulet/common/states/transition';
import type { NewImage } from '@cumulet/clients/images/images-client';
import type { HostRequest } from '../scheduler/host-request.js';
import { leaveGuestBehind } from '../server-migrations/leftover-guests.js';
import { setDestination } from '../server-migrations/begin-migration.js';
import { claimedDiskGb, type Server } from '../servers/server.entity.js';
import { NoValidHostError } from '../servers/server.errors.js';
import { serverStates } from '../servers/server.states.js';
import { deadlineOf } from '../servers/shutdown-time.js';
import { nudgeServer } from '../servers/server.tasks.js';
import { type GuestSpec, numberOf } from '../hypervisor/ports/guest-spec.js';
import { diskImage, type Snapshot } from '../servers/snapshots/snapshot.js';
import type { PhaseTools } from './server-phases.js';
import type { ServerResize } from './server-resizes.js';

type RoomTools = Pick<PhaseTools, 'placement' | 'servers' | 'resizes' | 'config'>;

/** Another state, or another host, continues with the server. */
class MovedOnError extends SupersededError {
  constructor(id: string) {
    super('conflict', `Instance ${id} goes to another host.`);
  }
}

/**
 * Claims room for a server's new size, beside the present one until the resize is confirmed. On its
 * own host it gets the size at once; to another host it is sent.
 * @throws NoValidHostError if no host has the room
 * @throws MovedOnError if it goes to another host
 */
export async function claimResize(
  tools: RoomTools,
  ctx: RequestContext,
  server: Server,
): Promise<void> {
  const { resizes, config } = tools;
  const { id, generation } = server;
  const isSent = await inTransaction(ctx, async (tx) => {
    const resize = await resizes.find(tx, id);
    if (resize === undefined || resize.host !== null) return false;
    const host = await chooseHost(tools, tx, server, resize);
    await resizes.claim(tx, id, host);
    await setDestination(tx, id, host);
    if (host === server.host) {
      await resizes.exchange(tx, id);
      return false;
    }
    const set = { snapshot: migrationImageOf(server) };
    await transition(tx, serverStates, id, 'send', {
      only: { generation },
      set,
      ...deadlineFor(server, config),
    });
    await nudgeServer(tx, server);
    return true;
  });
  if (isSent) throw new MovedOnError(id);
}

function deadlineFor(server: Server, config: RoomTools['config']): { deadline?: number } {
  const deadline = deadlineOf('send', server, config);
  return deadline === undefined ? {} : { deadline };
}

/** Prefers its own host, to which no disks need to be carried. */
async function chooseHost(
  { placement, config }: RoomTools,
  tx: RequestContext,
  server: Server,
  resize: ServerResize,
): Promise<string> {
  const { vcpus, memoryMb, flavor, goesTo, mustLeave } = resize;
  const wanted: Partial<HostRequest> = {
    vcpus,
    memoryMb,
    diskGb: claimedDiskGb(resize),
    flavorName: flavor.name,
    extraSpecs: flavor.extraSpecs ?? {},
    host: undefined,
    isForced: false,
  };
  const own = server.host ?? undefined;
  const elsewhere = (): Promise<string> =>
    placement.choose(tx, server, {
      ...wanted,
      excluded: own === undefined ? [] : [own],
      ...(goesTo === null ? {} : { host: goesTo }),
    });
  if (mustLeave || !config.resizeToSameHost) return elsewhere();
  try {
    return await placement.choose(tx, server, { ...wanted, host: own, isForced: true });
  } catch (error) {
    if (!(error instanceof NoValidHostError)) throw error;
    return elsewhere().catch((other: unknown) => {
      throw other instanceof NoValidHostError ? error : other;
    });
  }
}

/** The disks are images by now; the new host continues. @throws MovedOnError */
export async function handOver(
  { resizes }: Pick<RoomTools, 'resizes'>,
  ctx: RequestContext,
  { id, generation, snapshot }: Server,
): Promise<void> {
  const image = snapshot?.bootImage;
  if (image === undefined) throw new Error(`server ${id} has no image that it could boot from`);
  await inTransaction(ctx, async (tx) => {
    const resize = await resizes.find(tx, id);
    if (resize?.host == null) throw new Error(`server ${id} has no host that it goes to`);
    await transition(tx, serverStates, id, 'hand-over', { only: { generation } });
    await resizes.bootFrom(tx, id, image);
    await resizes.exchange(tx, id);
    await nudgeServer(tx, { id, host: resize.host });
  });
}

/**
 * Sends a server back to its former host, with nothing left here. Does nothing if it is there.
 * @param forget removes the guest from the present host
 * @throws MovedOnError once the former host continues
 */
export async function sendBack(
  { resizes, servers, config, placement }: RoomTools,
  ctx: RequestContext,
  { id, host, generation }: Server,
  forget: () => Promise<void>,
): Promise<void> {
  const resize = await resizes.find(ctx, id);
  const isElsewhere = resize?.isFormer === true && resize.host !== host;
  if (!isElsewhere) {
    if (host === config.host) return;
    // Another worker was first.
    await nudgeServer(ctx, { id, host });
    throw new MovedOnError(id);
  }
  if (host === config.host) await forget();
  else if (host !== null && (await placement.isUp(ctx, host))) {
    await nudgeServer(ctx, { id, host });
    throw new MovedOnError(id);
  }
  await inTransaction(ctx, async (tx) => {
    const isThis = [equals('id', id), equals('generation', generation)];
    if ((await servers.select(tx, isThis, 'FOR UPDATE')).length === 0) return;
    await resizes.exchange(tx, id);
    // No host but a dead one has a guest of the new size.
    await resizes.end(tx, { id, host: resize.host });
    if (host !== null && host !== config.host) await leaveGuestBehind(tx, host, id);
    await nudgeServer(tx, { id, host: resize.host });
  });
  throw new MovedOnError(id);
}

/** Gives a server its former size back, and frees the claim. */
export async function endResize(
  { resizes }: Pick<RoomTools, 'resizes'>,
  ctx: RequestContext,
  server: Server,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const resize = await resizes.find(tx, server.id);
    if (resize?.isFormer) await resizes.exchange(tx, server.id);
    await resizes.end(tx, server);
  });
}

/**
 * Images that carry a server's disks to another host, until a sweep removes them. Swap is made
 * anew. Public source: nova, `virt/libvirt/driver.py`, migrate_disk_and_power_off.
 */
const MIB_PER_GIB = 1024;
/** A limit for the server's name in image names, which have up to 255 characters. */
const MAX_NAME = 200;

export function migrationImageOf(server: Server): Snapshot {
  const name = `${Array.from(server.name).slice(0, MAX_NAME).join('')}-migration`;
  const localDisks = server.localDisks.flatMap((disk, index) => {
    if (disk.format === 'swap') return [];
    const local = numberOf(disk, index);
    const image = imageOf(server, `${name}-${local}`, Math.ceil(disk.sizeMb / MIB_PER_GIB));
    return [{ local, image }];
  });
  return {
    isShelved: true,
    image: imageOf(server, name, server.diskGb, server.image.properties),
    ...(localDisks.length === 0 ? {} : { localDisks }),
  };
}

function imageOf(
  server: Server,
  name: string,
  minDiskGb: number,
  properties: Readonly<Record<string, string>> = {},
): NewImage {
  return {
    ...diskImage(server, name),
    minDiskGb,
    minMemoryMb: 0,
    properties: {
      ...properties,
      instance_uuid: server.id,
      base_image_ref: server.imageId,
      image_type: 'migration',
    },
  };
}

/** The guest of a server that came with these images, of which its ephemeral disks are made. */
export function guestFromImages(guest: GuestSpec, snapshot: Snapshot | null): GuestSpec {
  const made = new Map(snapshot?.localDisks?.map(({ local, made: image }) => [local, image]));
  const { localDisks = [] } = guest;
  return {
    ...guest,
    localDisks: localDisks.map((disk, index) => {
      const content = made.get(numberOf(disk, index));
      return content === undefined ? disk : { ...disk, content };
    }),
  };
}
