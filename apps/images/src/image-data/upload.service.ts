/**
 * Takes an image's data from a client into the store.
 *
 * Always holds: the row names the object before its first byte is written, and becomes active once
 * its last is safe. So no image is active without its bytes, and no object of a running upload is
 * unknown. Public source: Image API reference, "Upload binary image data" and "Stage binary image
 * data".
 */
import type { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Image, ImageId } from '../images/image.entity.js';
import { UploadLostError } from '../images/image.errors.js';
import { ImagesService } from '../images/images.service.js';
import { requireFormats } from '../images/require-formats.js';
import { IMAGES_LOGGER } from '../injection-tokens.js';
import { DataReceiver } from './data-receiver.js';
import { OrphanedData } from './orphaned-data.js';
import type { UploadKind } from './upload-kind.js';
import { UploadRecords, type AdmittedUpload } from './upload-records.js';
import { UploadRepository } from './upload.repository.js';

export interface UploadBody {
  readonly data: Readable;
  /** Bytes that the client has announced, where it has. */
  readonly announcedSize: number | undefined;
}

@Injectable()
export class UploadService {
  constructor(
    @Inject(IMAGES_LOGGER) private readonly logger: Logger,
    private readonly images: ImagesService,
    private readonly records: UploadRecords,
    private readonly uploads: UploadRepository,
    private readonly receiver: DataReceiver,
    private readonly orphans: OrphanedData,
  ) {}

  /**
   * Returns once the image is active. After an error it is queued again, with no bytes left.
   * @throws ImageNotFoundError, NotOwnerError, ImageFormatMissingError
   * @throws what `UploadRecords` and `DataReceiver` throw
   */
  async upload(ctx: RequestContext, id: ImageId, body: UploadBody): Promise<void> {
    const image = await this.images.showOwn(ctx, id, 'upload data to');
    requireFormats(image);
    await this.#receive(ctx, 'data', image, body);
  }

  /**
   * Returns once the data waits to be imported. After an error the image is queued again, with no
   * bytes left. What the data is need not be known yet.
   * @throws ImageNotFoundError, NotOwnerError, what `UploadRecords` and `DataReceiver` throw
   */
  async stage(ctx: RequestContext, id: ImageId, body: UploadBody): Promise<void> {
    const image = await this.images.showOwn(ctx, id, 'stage data for');
    await this.#receive(ctx, 'staged data', image, body);
  }

  async #receive(
    ctx: RequestContext,
    kind: UploadKind,
    image: Image,
    body: UploadBody,
  ): Promise<void> {
    const upload = await this.records.begin(ctx, kind, image, body.announcedSize);
    try {
      const stored = await this.receiver.receive(ctx, upload, body.data);
      await this.records.complete(ctx, upload, stored);
    } catch (error) {
      const isLost = await this.#takeBack(ctx, upload, error);
      throw isLost ? new UploadLostError(image.id, { cause: error }) : error;
    }
  }

  /**
   * What fails here too is left to the sweeps, which find the row past its deadline.
   * @returns whether the upload was no longer its image's: then that is why it failed
   */
  async #takeBack(ctx: RequestContext, upload: AdmittedUpload, error: unknown): Promise<boolean> {
    const { imageId, dataId } = upload;
    try {
      const isHeld = await this.#aborted(ctx, upload, reasonOf(error));
      // Where only the news of a commit was lost, the image is active and its data is no orphan.
      const isOrphan = (await this.orphans.remove(ctx, [dataId])) > 0;
      return !isHeld && isOrphan;
    } catch (failure) {
      this.logger.error({ err: failure, imageId, dataId }, 'could not take back a failed upload');
      return false;
    }
  }

  /** @returns false where the image is gone, was reset by a sweep, or is active */
  async #aborted(ctx: RequestContext, upload: AdmittedUpload, reason: string): Promise<boolean> {
    try {
      await this.uploads.abort(ctx, upload, reason);
      return true;
    } catch (error) {
      if (error instanceof UploadLostError) return false;
      throw error;
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof DomainError && error.kind !== 'bug'
    ? error.message
    : 'The upload failed for a reason that the operator finds in the log.';
}
