import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Injectable } from '@nestjs/common';
import type { Image } from '../images/image.entity.js';
import { UploadSizeMismatchError } from '../images/image.errors.js';
import { ImageQuotas, type Allowance } from '../images/image-quotas.js';
import { newDataId } from '../store/data-id.js';
import { UploadOwner } from './upload-owner.js';
import { UploadRepository, type StoredData, type Upload } from './upload.repository.js';

export interface AdmittedUpload extends Upload {
  readonly image: Image;
  /** Bytes that the client has announced, where it has. */
  readonly announcedSize: number | undefined;
  readonly allowance: Allowance;
}

/** The transactions in which an upload begins and ends, quotas included. */
@Injectable()
export class UploadRecords {
  constructor(
    private readonly uploads: UploadRepository,
    private readonly quotas: ImageQuotas,
    private readonly owner: UploadOwner,
  ) {}

  /** @throws WrongStateError unless the image is queued, or what `ImageQuotas.admit` throws */
  begin(
    ctx: RequestContext,
    image: Image,
    announcedSize: number | undefined,
  ): Promise<AdmittedUpload> {
    const upload = { imageId: image.id, dataId: newDataId() };
    return inTransaction(ctx, async (tx) => {
      const allowance = await this.quotas.admit(tx, image.owner, announcedSize);
      await this.uploads.begin(tx, { ...upload, owner: this.owner.id, announcedSize });
      return { ...upload, image, announcedSize, allowance };
    });
  }

  /** @throws UploadSizeMismatchError, UploadLostError, or a quota's error */
  async complete(ctx: RequestContext, upload: AdmittedUpload, data: StoredData): Promise<void> {
    const { announcedSize, image } = upload;
    if (announcedSize !== undefined && announcedSize !== data.size) {
      throw new UploadSizeMismatchError(announcedSize, data.size);
    }
    await inTransaction(ctx, async (tx) => {
      // What was announced counts since the beginning.
      if (announcedSize === undefined) await this.quotas.claimBytes(tx, image.owner, data.size);
      await this.uploads.complete(tx, upload, data);
    });
  }
}
