/**
 * Takes an image's data from a client into the store.
 *
 * Always holds: the row names the object before its first byte is written, and becomes active once
 * its last byte is safe. So no image is active without its bytes, and no object of a running upload
 * is unknown. The object identifies the upload: once another upload has taken the image over, this
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
  /** Bytes that the client has announced, if any. */
  readonly announcedSize: number | undefined;
}

/** The two kinds of upload, by the column that names the object that they write. */
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

/** When an upload's process is first checked for being alive; most uploads have ended by then. */
const LOOK_MS = 3_000;
/** How long after the database was away a failed upload is taken back again. */
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
   * Returns once the image is active. After an error it is queued again, with no bytes left.
   * @throws ImageNotFoundError, ForbiddenError, WrongStateError; InvalidInputError without formats
   * @throws UploadSizeMismatchError, UploadStalledError, UploadLostError; InvalidInputError if it
   * breaks off; what `ImageInspector`, the quotas and the store throw
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
   * Returns once the data waits to be imported. After an error the image is queued again, with no
   * bytes left. Its formats need not be known yet: it is inspected when it is imported.
   * @throws what `upload` throws, except the errors for formats and contents
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

  /** @param complete changes the image's state, and sets what it has from then on */
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
      const isLost = await this.#takeBack(ctx, upload, error);
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
      // The image's formats do not change any more.
      const image = await this.images.show(tx, id);
      return { image, column, dataId, announcedSize, allowance };
    });
  }

  /** Reads `data` to its end, or stops reading if the upload ends before. */
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
      // Announced bytes have counted from the beginning.
      const uncounted = upload.announcedSize === undefined ? measured.size : 0;
      return { measured, inspector, uncounted };
    } finally {
      lease.end();
      this.#running.delete(running);
    }
  }

  /** @throws SupersededError if the image is no longer this upload's */
  async #move(
    ctx: RequestContext,
    { image, column, dataId }: Upload,
    event: ImageEvent,
    options: TransitionOptions = {},
  ): Promise<void> {
    await transition(ctx, imageStates, image.id, event, { ...options, only: { [column]: dataId } });
  }

  /**
   * If this fails too, it is tried again while this process lives; else the reconciler finds the row
   * past its deadline.
   * @returns whether the upload had lost its image: then that is why it failed
   */
  async #takeBack(ctx: RequestContext, upload: Upload, error: unknown): Promise<boolean> {
    const { image, dataId } = upload;
    try {
      const isHeld = await this.#isAborted(ctx, upload, reasonOf(error));
      // If only the answer to a commit was lost, the image is active and its data is no orphan.
      const isOrphan = (await this.objects.removeOrphans(ctx, [dataId])) > 0;
      return !isHeld && isOrphan;
    } catch (failure) {
      const names = { imageId: image.id, dataId };
      this.logger.error({ err: failure, ...names }, 'could not take back a failed upload');
      this.#takeBackLater(ctx, upload, error);
      return false;
    }
  }

  #takeBackLater(ctx: RequestContext, upload: Upload, error: unknown): void {
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      void this.#takeBack(ctx, upload, error);
    }, RETRY_MS);
    retry.unref();
    this.#retries.add(retry);
  }

  /** @returns false if the image is gone, was taken back by a reconciler, or is active */
  async #isAborted(ctx: RequestContext, upload: Upload, reason: string): Promise<boolean> {
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
  /** Bytes that no quota knows of yet. */
  readonly uncounted: number;
}

/** A pipe that tells the meter when the client is gone, and otherwise keeps its connection open. */
function flow(data: Readable, meter: DataMeter): void {
  const breakOff = (cause?: unknown): void => {
    if (data.readableEnded) return;
    meter.destroy(new InvalidInputError('The upload broke off before its end.', { cause }));
  };
  data.once('error', breakOff);
  data.once('close', () => breakOff());
  if (data.destroyed) breakOff(data.errored);
  else data.pipe(meter);
}

function reasonOf(error: unknown): string {
  return error instanceof DomainError && error.kind !== 'bug'
    ? error.message
    : 'The upload failed for a reason that the operator finds in the log.';
}
