/**
 * Phases that make images of a server's disks: of the image's disk and, in a move to another host,
 * of the ephemeral ones. Each first checks its progress: the image and the copy of its disk are
 * named by the ID in the server's row.
 */
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Image, NewImage } from '@cumulet/clients/images/images-client';
import { conflict } from '@cumulet/common/errors/domain-error';
import type { Wait } from '@cumulet/common/reconcile/reconciler';
import { amend, RowChangedError } from '@cumulet/common/states/transition';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { Server } from '../servers/server.entity.js';
import { serverStates } from '../servers/server.states.js';
import {
  backupProperties,
  imagesIn,
  SNAPSHOT_STEPS,
  type LocalDiskImage,
  type Snapshot,
  type SnapshotStep,
} from '../servers/snapshots/snapshot.js';
import { serverPhase, type PhaseTools, type ServerScope, guestSpecOf } from './server-phases.js';
import { dropImagesOf, recordLeftoverImages } from './leftover-images.sweep.js';

const POLL_MS = 1_000;

class SnapshotLostError extends conflict(
  (id: string, status: string) =>
    `Image ${id}, which the server was being copied into, is ${status}.`,
) {}

export class SnapshotPhases {
  constructor(private readonly tools: PhaseTools) {}

  /** Creates images without data. The ID in the row makes this idempotent. */
  readonly ensureImageMade = serverPhase('ensureImageMade', async (scope) => {
    const { ctx, row } = scope;
    await this.#show(scope, 'begun');
    for (const { image } of imagesIn(snapshotIn(row)))
      try {
        await this.tools.images.create(asService(ctx), image);
      } catch (error) {
        const isTaken = error instanceof ServiceRefusedError && error.status === 409;
        if (!isTaken) throw error;
      }
  });

  readonly ensureDiskCopied = serverPhase('ensureDiskCopied', async (scope) => {
    const { ctx, row } = scope;
    const { copies } = this.tools.hypervisor;
    for (const { image, local } of imagesIn(snapshotIn(row))) {
      if ((await this.#image(scope, image)).status === 'active') continue;
      const guest = guestSpecOf(row, await this.tools.nics.ofGuest(ctx, row), this.tools.seal);
      await this.#show(scope, 'copying');
      if (!(await copies.copyDisk(guest, image.id, local))) return { waitMs: POLL_MS };
    }
    return undefined;
  });

  readonly ensureCopyUploaded = serverPhase('ensureCopyUploaded', async (scope) => {
    for (const { image } of imagesIn(snapshotIn(scope.row))) {
      const wait = await this.#upload(scope, image);
      if (wait) return wait;
    }
    return undefined;
  });

  async #upload(scope: ServerScope, image: NewImage): Promise<Wait | undefined> {
    const { ctx, row, signal } = scope;
    const { id, status } = await this.#image(scope, image);
    if (status === 'active') return undefined;
    // The images service undoes an upload whose process died.
    if (status !== 'queued') return { waitMs: POLL_MS };
    const moved = new AbortController();
    await this.#abortOnceMoved(scope, moved);
    if (moved.signal.aborted) throw new RowChangedError('server', row.id, 'snapshot');
    await this.#show(scope, 'uploading');
    const copy = await this.tools.hypervisor.copies.openCopy(row.id, id);
    const watch = setInterval(() => void this.#abortOnceMoved(scope, moved), POLL_MS);
    try {
      const either = AbortSignal.any([signal, moved.signal]);
      await this.tools.images.upload(asService(ctx), id, copy, either);
    } finally {
      clearInterval(watch);
      copy.data.destroy();
    }
    return undefined;
  }

  readonly removeCopy = serverPhase('removeCopy', async ({ row }) => {
    const { copies } = this.tools.hypervisor;
    if (row.host === null) return;
    for (const { image } of imagesIn(snapshotIn(row))) await copies.removeCopy(row.id, image.id);
  });

  /** Keeps the newest backups of the type. */
  readonly removeOldBackups = serverPhase('removeOldBackups', async ({ ctx, row }) => {
    const { backup } = snapshotIn(row);
    if (!backup) return;
    const { images } = this.tools;
    const properties = backupProperties(row.id, backup.type);
    const ids = await images.withProperties(asService(ctx), row.projectId, properties);
    for (const id of ids.slice(backup.rotation)) await images.delete(asService(ctx), id);
  });

  /** Records the image that a shelved server boots from, and those of a moved server's disks. */
  readonly recordImage = serverPhase('recordImage', async (scope) => {
    const { ctx, row } = scope;
    const { localDisks = [], ...before } = snapshotIn(row);
    const { kernel, ramdisk, properties } = row.image;
    const bootImage = {
      ...(await this.#made(scope, before.image)),
      ...(kernel ? { kernel } : {}),
      ...(ramdisk ? { ramdisk } : {}),
      ...(properties ? { properties } : {}),
    };
    const disks: LocalDiskImage[] = [];
    for (const disk of localDisks)
      disks.push({ ...disk, made: await this.#made(scope, disk.image) });
    const { generation } = row;
    const snapshot: Snapshot = {
      ...before,
      step: 'uploading',
      bootImage,
      ...(disks.length === 0 ? {} : { localDisks: disks }),
    };
    await amend(ctx, serverStates, row.id, { only: { generation }, set: { snapshot } });
  });

  /**
   * Removes an incomplete image, and a shelved server's with the server. A sweep removes those that
   * cannot be removed now, so that a server's deletion does not fail. Public source: nova,
   * `compute/manager.py`, _delete_snapshot_of_shelved_instance.
   */
  readonly dropImage = serverPhase('dropImage', async ({ ctx, row }) => {
    const { snapshot } = row;
    if (snapshot === null) return;
    await dropImagesOf(ctx, this.tools.images, snapshot).catch(() =>
      recordLeftoverImages(ctx, snapshot),
    );
  });

  /** Progress for views, which never goes back when a later run repeats a step. */
  async #show({ ctx, row }: ServerScope, step: SnapshotStep): Promise<void> {
    const { snapshot } = (await this.tools.servers.find(ctx, row.id)) ?? row;
    if (snapshot === null || rank(snapshot.step ?? 'pending') >= rank(step)) return;
    const { generation } = row;
    const set = { snapshot: { ...snapshot, step } };
    await amend(ctx, serverStates, row.id, { only: { generation }, set });
  }

  /** The image's hash and size, by which hosts identify its data. */
  async #made(scope: ServerScope, image: NewImage): Promise<BootImage> {
    const { id, diskFormat = 'qcow2', sizeBytes, sha512 } = await this.#image(scope, image);
    if (sha512 === undefined) throw new SnapshotLostError(id, 'without a hash');
    return { id, diskFormat, sha512, ...(sizeBytes === undefined ? {} : { sizeBytes }) };
  }

  /** @throws SnapshotLostError if it was deleted or deactivated */
  async #image({ ctx }: ServerScope, { id }: NewImage): Promise<Image> {
    const image = await this.tools.images.find(asService(ctx), id);
    const status = image?.status ?? 'deleted';
    if (image && ['queued', 'saving', 'active'].includes(status)) return image;
    throw new SnapshotLostError(id, status);
  }

  /** The server may be deleted during a long upload of its disk. */
  async #abortOnceMoved({ ctx, row }: ServerScope, moved: AbortController): Promise<void> {
    const now = await this.tools.servers.find(ctx, row.id).catch(() => row);
    if (now?.generation !== row.generation) moved.abort();
  }
}

function rank(step: SnapshotStep): number {
  return SNAPSHOT_STEPS.indexOf(step);
}

function snapshotIn({ id, snapshot }: Server): Snapshot {
  if (snapshot === null) throw new Error(`server ${id} has no snapshot`);
  return snapshot;
}
