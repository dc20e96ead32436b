/**
 * Uploads and stages data from clients.
 *
 * Always holds: the row names the object before its first byte is written, and becomes active once
 * its last byte is safe. So every active image has its bytes, and every object of a running upload
 * is known. The object identifies the upload: once another upload has taken over the image, this
 * one finds no row to change. Public source: Image API reference, "Upload binary image data" and
 * "Stage binary image data".
 */
import type { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import {
  DomainError,
  InvalidInputError,
  UnavailableError,
} from '@cumulet/common/errors/domain-error';
import {
  SupersededError,
  transition,
  type TransitionOptions,
} from '@cumulet/common/states/transition';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, LOGGER } from '@cumulet/common/service/tokens';
import { type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import type { ImagesConfig } from '../config.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { UploadLostError, UploadSizeMismatchError } from '../images/image.errors.js';
import { ImageQuotas, type Allowance } from '../images/image-quotas.js';
import { imageStates, type ImageEvent } from '../images/image.states.js';
import { nudgeImage } from '../images/image.tasks.js';
import { ImagesService } from '../images/images.service.js';
import { ImageInspector } from '../inspection/image-inspector.js';
import type { DataMeter, Measured } from './data-meter.js';
import { ImageObjects } from './image-objects.js';
import { UploadLease, UploadOwner } from './upload-lease.js';

export interface UploadBody {
  readonly data: Readable;
  /** Bytes; undefined for chunked bodies. */
  readonly announcedSize: number | undefined;
}

/** By the column that names the object being written. */
const UPLOADS = {
  dataId: { begin: 'upload', state: 'saving', progress: 'progress' },
  stagedDataId: { begin: 'stage', state: 'staging', progress: 'stageProgress' },
} as const;

type UploadColumn = keyof typeof UPLOADS;

interface Upload {
  readonly image: Image;
  readonly column: UploadColumn;
  readonly dataId: DataId;
  readonly announcedSize: number | undefined;
  readonly allowance: Allowance;
}

/** Delay of the first liveness check; most uploads have ended by then. */
const LOOK_MS = 3_000;
/** Delay before a failed revert is retried, as while the database is away. */
const RETRY_MS = 2_000;

@Injectable()
export class UploadService implements OnModuleDestroy {
  readonly #running = new Set<AbortController>();
  readonly #retries = new Set<NodeJS.Timeout>();

  constructor(
    @Inject(CONFIG) private readonly config: ImagesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly images: ImagesService,
    private readonly quotas: ImageQuotas,
    private readonly owner: UploadOwner,
    private readonly objects: ImageObjects,
  ) {}

  /**
   * Returns once the image is active. On error the image is queued again, and its bytes are
   * removed.
   * @throws ImageNotFoundError, ForbiddenError, WrongStateError; InvalidInputError without formats
   * @throws UploadSizeMismatchError, UploadStalledError, UploadLostError; InvalidInputError if it
   * breaks off; and the errors of `ImageInspector`, the quotas and the store
   */
  async upload(ctx: RequestContext, id: ImageId, body: UploadBody): Promise<void> {
    const image = await this.images.showOwn(ctx, id, 'upload data to');
    this.images.requireFormats(image);
    await this.#receive(ctx, image, 'dataId', body, async (tx, upload, received) => {
      const { measured, inspector, uncounted } = received;
      const { size, md5: checksum, sha512: hashValue } = measured;
      const set = { size, checksum, hashValue, virtualSize: inspector.acceptedSize() };
      await this.quotas.claim(tx, { image_size_total: uncounted }, upload.image.owner);
      await this.#move(tx, upload, 'complete', { set });
    });
  }

  /**
   * Returns once the data is staged. On error the image is queued again, and its bytes are removed.
   * Formats may still be unset: the import inspects the data.
   * @throws the errors of `upload`, except those for formats and contents
   */
  async stage(ctx: RequestContext, id: ImageId, body: UploadBody): Promise<void> {
    const image = await this.images.showOwn(ctx, id, 'stage data for');
    const deadline = this.config.stagedHours * 3_600;
    await this.#receive(ctx, image, 'stagedDataId', body, async (tx, upload, received) => {
      const { measured, uncounted } = received;
      const set = { stagedSize: measured.size };
      await this.quotas.claim(tx, { image_stage_total: uncounted }, upload.image.owner);
      await this.#move(tx, upload, 'staged', { set, deadline });
      await nudgeImage(tx, { id, state: 'staged', ...set }, deadline * 1_000);
    });
  }

  onModuleDestroy(): void {
    for (const running of this.#running) {
      running.abort(new UnavailableError('The service is being stopped.'));
    }
    for (const retry of this.#retries) clearTimeout(retry);
  }

  /** @param complete moves the image to its next state, within the transaction */
  async #receive(
    ctx: RequestContext,
    image: Image,
    column: UploadColumn,
    { data, announcedSize }: UploadBody,
    complete: (tx: RequestContext, upload: Upload, received: Received) => Promise<void>,
  ): Promise<void> {
    const upload = await this.#begin(ctx, image, column, announcedSize);
    try {
      const received = await this.#store(ctx, upload, data);
      const { size } = received.measured;
      if (announcedSize !== undefined && announcedSize !== size) {
        throw new UploadSizeMismatchError(announcedSize, size);
      }
      await inTransaction(ctx, (tx) => complete(tx, upload, received));
    } catch (error) {
      const isLost = await this.#revert(ctx, upload, error);
      throw isLost || error instanceof SupersededError
        ? new UploadLostError(image.id, { cause: error })
        : error;
    }
  }

  async #begin(
    ctx: RequestContext,
    { id, owner, stagedSize }: Image,
    column: UploadColumn,
    announcedSize: number | undefined,
  ): Promise<Upload> {
    const { begin, state } = UPLOADS[column];
    const dataId = newDataId();
    return inTransaction(ctx, async (tx) => {
      const counts = column === 'dataId' ? 'image_size_total' : 'image_stage_total';
      const allowance = await this.quotas.admit(tx, owner, announcedSize, counts);
      const uploadOwner = this.owner.id;
      const set = { [column]: dataId, uploadOwner, announcedSize: announcedSize ?? null };
      await transition(tx, imageStates, id, begin, { set });
      await nudgeImage(tx, { id, state, stagedSize }, LOOK_MS);
      // From here on the formats cannot change.
      const image = await this.images.show(tx, id);
      return { image, column, dataId, announcedSize, allowance };
    });
  }

  async #store(ctx: RequestContext, upload: Upload, data: Readable): Promise<Received> {
    const { image, column, dataId, allowance } = upload;
    const inspector = new ImageInspector(image);
    const options = {
      limit: allowance.bytes,
      overLimit: allowance.exceeded,
      stallSeconds: this.config.uploadStallSeconds,
      observe: (chunk: Buffer) => inspector.observe(chunk),
    };
    const running = new AbortController();
    const lease = new UploadLease(
      ctx,
      () => this.#move(ctx, upload, UPLOADS[column].progress),
      () => running.abort(new UploadLostError(image.id)),
      this.logger,
    );
    this.#running.add(running);
    try {
      const pour = (meter: DataMeter): void => flow(data, meter);
      const measured = await this.objects.put(dataId, options, pour, running.signal);
      // Announced bytes were counted at the start.
      const uncounted = upload.announcedSize === undefined ? measured.size : 0;
      return { measured, inspector, uncounted };
    } finally {
      lease.end();
      this.#running.delete(running);
    }
  }

  /** @throws SupersededError if the image no longer belongs to this upload */
  async #move(
    ctx: RequestContext,
    { image, column, dataId }: Upload,
    event: ImageEvent,
    options: TransitionOptions = {},
  ): Promise<void> {
    await transition(ctx, imageStates, image.id, event, { ...options, only: { [column]: dataId } });
  }

  /**
   * Retried while this process lives; otherwise the reconciler finds the row past its deadline.
   * @returns whether the upload failed because it had lost its image
   */
  async #revert(ctx: RequestContext, upload: Upload, error: unknown): Promise<boolean> {
    const { image, dataId } = upload;
    try {
      const isHeld = await this.#abort(ctx, upload, reasonOf(error));
      // If the commit succeeded but its answer was lost, the image is active and its data is not an
      // orphan.
      const isOrphan = (await this.objects.removeOrphans(ctx, [dataId])) > 0;
      return !isHeld && isOrphan;
    } catch (failure) {
      const names = { imageId: image.id, dataId };
      this.logger.error({ err: failure, ...names }, 'could not revert a failed upload');
      this.#revertLater(ctx, upload, error);
      return false;
    }
  }

  #revertLater(ctx: RequestContext, upload: Upload, error: unknown): void {
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      void this.#revert(ctx, upload, error);
    }, RETRY_MS);
    retry.unref();
    this.#retries.add(retry);
  }

  /** @returns false if the image is gone, was reverted by a reconciler, or is active */
  async #abort(ctx: RequestContext, upload: Upload, reason: string): Promise<boolean> {
    try {
      await this.#move(ctx, upload, 'abort', { reason });
      return true;
    } catch (error) {
      if (error instanceof SupersededError) return false;
      throw error;
    }
  }
}

interface Received {
  readonly measured: Measured;
  readonly inspector: ImageInspector;
  /** Bytes not yet counted against a quota. */
  readonly uncounted: number;
}

/** Pipes, fails the meter if the client disconnects, and keeps the connection otherwise. */
function flow(data: Readable, meter: DataMeter): void {
  const breakOff = (cause?: unknown): void => {
    if (data.readableEnded) return;
    meter.destroy(new InvalidInputError('The upload was interrupted.', { cause }));
  };
  data.once('error', breakOff);
  data.once('close', () => breakOff());
  if (data.destroyed) breakOff(data.errored);
  else data.pipe(meter);
}

function reasonOf(error: unknown): string {
  return error instanceof DomainError && error.kind !== 'bug'
    ? error.message
    : "The upload failed; the reason is in the operator's log.";
}
